import { describe, expect, test } from 'vitest'
import { doneEvent, encodeError, encodeErrorEvent, errorInside, readUpstreamError } from './upstream-error.ts'

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

test('errors are sent in the shape that OpenAI clients read, with the request id', () => {
  const error = { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limited' }
  expect(JSON.parse(decode(encodeError(error, 'r1')))).toStrictEqual({
    error: { message: 'Slow down (request id: r1)', type: 'rate_limit_error', param: null, code: 'rate_limited' },
  })
  expect(decode(encodeErrorEvent({ ...error, param: 'n' }, 'r1'))).toMatch(
    /^data: \{"error":\{.*"param":"n".*\}\}\n\n$/,
  )
  expect(decode(doneEvent())).toBe('data: [DONE]\n\n')
})

describe('upstreams’ error bodies', () => {
  test.each([
    [
      { error: { message: 'bad', type: 'invalid_request_error', param: 'n', code: 'x' } },
      { message: 'bad', type: 'invalid_request_error', param: 'n', code: 'x' },
    ],
    [{ error: 'model not loaded' }, { message: 'model not loaded' }],
    [
      { object: 'error', message: 'vLLM says no', type: 'BadRequestError', code: 400 },
      { message: 'vLLM says no', type: 'BadRequestError', code: 400 },
    ],
    [{ detail: [{ loc: ['body', 'n'], msg: 'extra fields', type: 'extra_forbidden' }] }, { message: 'extra fields' }],
    [{ detail: 'Not authenticated' }, { message: 'Not authenticated' }],
    [
      { success: false, errors: [{ code: 7003, message: 'no route' }] },
      { message: 'no route', code: 7003 },
    ],
    [
      { code: 'InvalidApiKey', message: 'Invalid API-key', request_id: 'a' },
      { message: 'Invalid API-key', code: 'InvalidApiKey' },
    ],
    [{ base_resp: { status_code: 1004, status_msg: 'login fail' } }, { message: 'login fail', code: 1004 }],
    [
      { error_code: 17, error_msg: 'daily limit' },
      { message: 'daily limit', code: 17 },
    ],
    [{ header: { code: 10013, message: 'content' } }, { message: 'content' }],
    [{ response: { error: { message: 'inner', code: 'c' } } }, { message: 'inner', code: 'c' }],
    [
      [{ error: { code: 400, message: 'listed', status: 'INVALID_ARGUMENT' } }],
      { message: 'listed', type: 'INVALID_ARGUMENT', code: 400 },
    ],
    [{ msg: 'short' }, { message: 'short' }],
    [{ error: { code: 'quiet' } }, { message: 'the provider reported an error without a message', code: 'quiet' }],
  ])('%j', (body, expected) => {
    expect(readUpstreamError(encode(body))).toStrictEqual({
      type: undefined,
      code: undefined,
      param: undefined,
      ...expected,
    })
  })

  test('a page instead of JSON is cut to its beginning, on one line', () => {
    const page = `<html>\n<h1>502 Bad\u0000Gateway</h1>${'x'.repeat(9_000)}`
    const { message } = readUpstreamError(encode(page))
    expect(message).toMatch(/^<html> <h1>502 Bad Gateway<\/h1>x+$/)
    expect(message.length).toBeLessThanOrEqual(512)
  })

  test('bytes that are not text are read without a throw', () => {
    expect(readUpstreamError(Uint8Array.of(0xff, 0xfe, 0x00)).type).toBeUndefined()
    expect(readUpstreamError(new Uint8Array()).message).toBe('the provider reported an error without a message')
  })
})

describe('errors inside a 200 body', () => {
  test.each([
    [{ error: { message: 'overloaded', code: 529 } }, 'overloaded'],
    [
      { choices: [{ delta: {}, finish_reason: 'error' }], error: { code: 502, message: 'provider gone' } },
      'provider gone',
    ],
    [{ code: 10013, message: 'input flagged', sid: 's' }, 'input flagged'],
    [{ base_resp: { status_code: 1008, status_msg: 'insufficient balance' }, choices: null }, 'insufficient balance'],
    [{ error_code: 336003, error_msg: 'too long' }, 'too long'],
    [{ success: false, errors: [{ message: 'bad account' }] }, 'bad account'],
    [{ object: 'error', message: 'no such model' }, 'no such model'],
  ])('%j', (body, message) => {
    expect(errorInside(body)?.message).toBe(message)
  })

  test.each([
    [{ choices: [{ message: { content: 'error' } }], error: null }],
    [{ choices: [{}], error: {} }],
    [{ choices: [{}], error: '' }],
    [{ choices: [{}], code: 0, message: 'Success' }],
    [{ choices: [{}], code: 7, message: 'a vendor’s own meaning' }],
    [{ choices: [], code: 0, message: 'Success' }],
    [{ choices: [{}], base_resp: { status_code: 0, status_msg: '' } }],
    [{ choices: [], usage: {} }],
    [null],
    ['error'],
  ])('%j is none', (body) => {
    expect(errorInside(body)).toBeUndefined()
  })
})

test('Google’s reason is reported instead of its status', () => {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message: 'API key not valid.' },
  ]
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details }
  expect(errorInside({ error })).toMatchObject({ code: 'API_KEY_INVALID', type: 'INVALID_ARGUMENT' })
  expect(errorInside({ error: { ...error, details: [{ retryDelay: '3s' }] } })).toMatchObject({ code: 400 })
})
