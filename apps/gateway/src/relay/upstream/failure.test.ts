import { expect, test } from 'vitest'
import { type Failure, failureOfCall, failureOfReport, failureOfStatus } from './failure.ts'

const times = { connectTimeoutMs: 1_000, firstByteTimeoutMs: 2_000, idleTimeoutMs: 3_000 }
const body = (message: string) => Buffer.from(JSON.stringify({ error: { message, type: 't', code: 'c', param: 'p' } }))

function vendorOf(failure: Failure) {
  if (failure.reply.vendor === undefined) throw new Error('no vendor error')
  return failure.reply.vendor
}

test.each([
  [400, false],
  [401, true],
  [402, true],
  [403, true],
  [404, false],
  [408, true],
  [409, false],
  [413, false],
  [422, false],
  [429, true],
  [500, true],
  [503, true],
  [529, true],
  [302, true],
])('after status %i another channel is tried: %s', (status, retry) => {
  expect(failureOfStatus(status, body('x'), undefined).retry).toBe(retry)
})

test('the provider’s words, type, code and status are passed on', () => {
  expect(vendorOf(failureOfStatus(422, body('Wrong tool.'), undefined))).toEqual({
    status: 422,
    error: { message: 'Wrong tool.', type: 't', code: 'c', param: 'p' },
    retryAfter: undefined,
  })
})

test('what the provider says of our account is not passed on to the client', () => {
  for (const status of [401, 402, 403]) {
    const { status: translated, error } = vendorOf(
      failureOfStatus(status, body('Key sk-secret123456 is wrong'), undefined),
    )
    expect(translated).toBe(502)
    expect(error.message).not.toContain('secret')
  }
})

test('when our account is out of credit, the client is not told that its own is', () => {
  const error = { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' }
  const failure = failureOfStatus(429, Buffer.from(JSON.stringify({ error })), undefined)
  expect(vendorOf(failure)).toMatchObject({ status: 502, error: { message: expect.not.stringContaining('quota') } })
  expect(failure).toMatchObject({ cause: 'account', retry: true })
})

test('a key that Google refuses under status 400 is not the client’s, and another channel is tried', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details }
  const failure = failureOfStatus(400, Buffer.from(JSON.stringify({ error })), undefined)
  expect(failure.retry).toBe(true)
  expect(vendorOf(failure)).toMatchObject({ status: 502, error: { message: expect.not.stringContaining('API key') } })
})

test('keys that a provider quotes are removed', () => {
  const quoted = 'Incorrect key sk-abcdefgh12345678, AIzaSyA1234567890abc and Bearer xyz. Ask again.'
  const { error } = vendorOf(failureOfStatus(400, body(quoted), undefined))
  expect(error.message).toBe('Incorrect key [key], [key] and [key] Ask again.')
})

test('a page is not echoed', () => {
  const page = Buffer.from('<html><body>nginx at 10.1.2.3</body></html>')
  expect(vendorOf(failureOfStatus(502, page, undefined)).error.message).toBe('The provider answered with status 502.')
})

test('a wait is passed on in whole seconds', () => {
  expect(vendorOf(failureOfStatus(429, body('x'), 6_200)).retryAfter).toBe(7)
  expect(vendorOf(failureOfStatus(429, body('x'), undefined)).retryAfter).toBeUndefined()
})

test('an error under a good status counts as what it is', () => {
  const report = { message: 'm', type: undefined, code: undefined, param: undefined }
  expect(failureOfReport({ ...report, code: 429 })).toMatchObject({ retry: true, reply: { vendor: { status: 429 } } })
  expect(failureOfReport({ ...report, type: 'invalid_request_error' })).toMatchObject({
    retry: false,
    reply: { vendor: { status: 400 } },
  })
  expect(failureOfReport(report)).toMatchObject({ retry: true, reply: { vendor: { status: 502 } } })
})

test.each([
  ['connect', 1],
  ['first_byte', 2],
  ['idle', 3],
] as const)('a time-out at %s names its %i s', (stage, seconds) => {
  const { reply, retry } = failureOfCall({ cause: 'timeout', stage }, undefined, times)
  expect(reply.refusal).toEqual({ code: 'upstream_timeout', params: { seconds } })
  expect(retry).toBe(true)
})

test('only a connection that closed without sending anything may be tried again on the same channel', () => {
  expect(failureOfCall({ cause: 'closed' }, undefined, times).wasClosed).toBe(true)
  expect(failureOfCall({ cause: 'unreachable' }, undefined, times).wasClosed).toBe(false)
  expect(failureOfCall({ cause: 'broken', reason: 'x' }, undefined, times).wasClosed).toBe(false)
})

test('a refused address is the channel’s own fault, and clients do not learn of it', () => {
  const failure = failureOfCall({ cause: 'forbidden' }, undefined, times)
  expect(failure).toMatchObject({ cause: 'setup', retry: true, reply: { refusal: { code: 'upstream_unreachable' } } })
})

test('a call for which no more files could be opened blames no channel and tries no other', { tags: 'S49' }, () => {
  expect(failureOfCall({ cause: 'no_files' }, undefined, times)).toMatchObject({
    cause: 'stopped',
    retry: false,
    reply: { refusal: { code: 'overloaded', retryAfter: 1 } },
    detail: expect.stringContaining('EMFILE'),
  })
})
