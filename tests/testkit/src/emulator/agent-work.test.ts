import { expect, test } from 'vitest'
import { workOf } from './agent-work.ts'
import { createSwitchedFaults } from './switched-faults.ts'

const ask = (content: string) => [{ role: 'user', content }]
const QUESTION = 'Please (write /home/a/made.txt).'

test('the file of a question is written with a tool that is offered, once', () => {
  expect(workOf(ask(QUESTION), QUESTION, new Set(['Read', 'Bash']))).toMatchObject({ tool: 'Bash' })
  expect(workOf(ask(QUESTION), QUESTION, new Set(['Read']))).toBeUndefined()
  expect(workOf(ask('Hello'), 'Hello', new Set(['Bash']))).toBeUndefined()
  const answered = [...ask(QUESTION), { role: 'tool', content: 'done' }]
  expect(workOf(answered, QUESTION, new Set(['Bash']))).toBe('done')
})

test('a fault with a number of cuts ends with the last of them', () => {
  const faults = createSwitchedFaults(() => 0)
  faults.switchOn({ key: 'k', as: 'emu-agent' })
  faults.switchOn({ at: 'here', as: 'emu-agent-cut', cuts: 1 })
  expect(faults.modelFor('here', 'k')).toBe('emu-agent-cut')
  faults.cut('here', 'k')
  expect(faults.modelFor('here', 'k')).toBe('emu-agent')
})
