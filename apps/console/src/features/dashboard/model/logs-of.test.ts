import { expect, test } from 'vitest'
import { logsOf, logsOfDay, modelFilter, tokenFilter, userFilter } from './logs-of.ts'

test('the logs of a period reach from its first to its last second', () => {
  expect(logsOf({ from: '1970-01-02', to: '1970-01-03' }, { model: 'm' })).toEqual({
    start: 86_400,
    end: 259_199,
    model: 'm',
  })
  expect(logsOfDay('1970-01-01')).toEqual({ start: 0, end: 86_399 })
})

test('a row links to its logs by the names that it carries', () => {
  expect(modelFilter({ ModelName: 'gpt-5' })).toEqual({ model: 'gpt-5' })
  expect(userFilter({ Username: 'alice' })).toEqual({ username: 'alice' })
  expect(tokenFilter({ TokenName: 'ci', Username: 'alice' })).toEqual({ token: 'ci', username: 'alice' })
})

test('a row without a name links nowhere', () => {
  expect(modelFilter({ ModelName: ' ' })).toBeUndefined()
  expect(userFilter({ Username: '' })).toBeUndefined()
  expect(tokenFilter({ TokenName: '', Username: 'alice' })).toBeUndefined()
})
