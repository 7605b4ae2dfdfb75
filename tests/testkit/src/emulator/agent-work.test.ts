import { expect, test } from 'vitest'
import { AFTER_WORK, BEFORE_WORK, workOf } from './agent-work.ts'
import { createSwitchedFaults } from './switched-faults.ts'

const ask = (content: string) => [{ role: 'user', content }]
const QUESTION = 'Please (write /home/a/made.txt).'

test('the file of a question is written with a tool that is offered, once', () => {
  expect(workOf(ask(QUESTION), QUESTION, new Set(['Read', 'Bash']))).toMatchObject({
    says: BEFORE_WORK,
    call: { tool: 'Bash' },
  })
  expect(workOf(ask(QUESTION), QUESTION, new Set(['Read']))).toBeUndefined()
  expect(workOf(ask('Hello'), 'Hello', new Set(['Bash']))).toBeUndefined()
  const answered = [...ask(QUESTION), { role: 'tool', content: 'done' }]
  expect(workOf(answered, QUESTION, new Set(['Bash']))).toEqual({ says: AFTER_WORK })
})

test('a question may name the tool of an MCP server, which is called by the name that was offered', () => {
  const question = 'Please (write /home/a/made.txt with mcp__files__save_text).'
  for (const tool of ['mcp__files__save_text', 'mcp__files.save_text'])
    expect(workOf(ask(question), question, new Set(['Bash', tool]))).toEqual({
      says: BEFORE_WORK,
      call: { tool, args: '{"path":"/home/a/made.txt","content":"written by a model"}' },
    })
  expect(workOf(ask(question), question, new Set(['Bash']))).toBeUndefined()
  expect(workOf(ask(question), question, new Set(['functions.exec']))?.call).toEqual({
    tool: 'functions.exec',
    args: expect.stringContaining('await tools.mcp__files__save_text({'),
  })
})

test('without a tool the file is in the text', () => {
  const question = 'Please (write /home/a/made.txt as a listing).'
  expect(workOf(ask(question), question, new Set())).toEqual({
    says: expect.stringContaining('\n/home/a/made.txt\n```\nwritten by a model\n```\n'),
  })
})

test('a fault with a number of cuts ends with the last of them, and meets only the calls that it is for', () => {
  const faults = createSwitchedFaults(() => 0)
  faults.switchOn({ key: 'k', as: 'emu-agent' })
  faults.switchOn({ at: 'here', as: 'emu-agent-cut', cuts: 1, within: '"tools"' })
  expect(faults.modelFor('here', 'k', '{}')).toBe('emu-agent')
  expect(faults.modelFor('here', 'k', '{"tools":[]}')).toBe('emu-agent-cut')
  faults.cut('here', 'k', '{"tools":[]}')
  expect(faults.modelFor('here', 'k', '{"tools":[]}')).toBe('emu-agent')
})
