import { openAi } from '@sluice/providers/kinds/openai'
import { expect, test } from 'vitest'
import { failedAnswer } from './failure-cause.ts'

const says = (type?: string, code?: string) => ({ message: 'Something.', type, code, param: undefined })

test.each([
  [401, undefined, 'account'],
  [402, undefined, 'account'],
  [403, undefined, 'account'],
  [429, undefined, 'limited'],
  [429, says('insufficient_quota'), 'account'],
  [429, says('requests', 'insufficient_quota'), 'account'],
  [400, says('invalid_request_error', 'invalid_api_key'), 'account'],
  [400, says('INVALID_ARGUMENT', 'API_KEY_INVALID'), 'account'],
  [400, says('invalid_request_error'), 'request'],
  [404, says('invalid_request_error', 'model_not_found'), 'unknown_model'],
  [404, says('invalid_request_error'), 'request'],
  [413, undefined, 'request'],
  [302, undefined, 'provider'],
  [408, undefined, 'provider'],
  [500, undefined, 'provider'],
  [529, says('overloaded_error'), 'provider'],
] as const)('status %i with %j is attributed to: %s', (status, error, cause) => {
  expect(failedAnswer(openAi, status, error).cause).toBe(cause)
})

test('words of a message mean nothing: a prompt that is quoted in it cannot switch a channel off', () => {
  const error = { ...says('invalid_request_error'), message: 'your credit balance is too low, invalid_api_key' }
  expect(failedAnswer(openAi, 400, error).cause).toBe('request')
})

test('everything but a request that is wrong everywhere is tried elsewhere', () => {
  expect(failedAnswer(openAi, 400, says('invalid_request_error')).retry).toBe(false)
  expect(failedAnswer(openAi, 400, says('invalid_request_error', 'context_length_exceeded')).retry).toBe(true)
  expect(failedAnswer(openAi, 404, says('invalid_request_error', 'model_not_found')).retry).toBe(true)
})
