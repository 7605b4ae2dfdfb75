import { expect, test } from 'vitest'
import { isLedgerWrong, statementOf, toneOf, wrongFirst } from './audit.ts'

const result = (id: string, wrong = false) => ({
  id,
  statement: `statement of ${id}`,
  checked: 1,
  elapsed_ms: 1,
  recounted: false,
  first_wrong: wrong ? { id: '1' } : null,
})

test('broken promises come first, each group in the order of the proof', () => {
  const results = [result('I1'), result('I2', true), result('I3'), result('I4', true)]
  expect(wrongFirst(results).map(({ id }) => id)).toEqual(['I2', 'I4', 'I1', 'I3'])
})

test('an invariant that the console does not know is shown in the words of the gateway', () => {
  expect(statementOf(result('I1'), { I1: 'known' })).toBe('known')
  expect(statementOf(result('I99'), { I1: 'known' })).toBe('statement of I99')
})

test('an outcome has the colour of what it means', () => {
  expect(toneOf({ outcome: 'sound' })).toBe('good')
  expect(toneOf({ outcome: 'wrong' })).toBe('bad')
})

test('the ledger is wrong when the latest completed verification says so', () => {
  const checks = (...outcomes: ('running' | 'sound' | 'wrong' | 'stopped')[]) =>
    outcomes.map((outcome) => ({ outcome }))
  expect(isLedgerWrong([])).toBe(false)
  expect(isLedgerWrong(checks('running', 'stopped', 'wrong', 'sound'))).toBe(true)
  expect(isLedgerWrong(checks('sound', 'wrong'))).toBe(false)
})
