import { openAi } from '@sluice/providers/kinds/openai'
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
  [404, true],
  [408, true],
  [409, false],
  [413, true],
  [422, false],
  [429, true],
  [500, true],
  [503, true],
  [529, true],
  [302, true],
])('after status %i another channel is tried: %s', (status, retry) => {
  expect(failureOfStatus(openAi, status, body('x'), undefined).retry).toBe(retry)
})

test('the provider’s words, type, code and status are passed on', () => {
  expect(vendorOf(failureOfStatus(openAi, 422, body('Wrong tool.'), undefined))).toEqual({
    status: 422,
    error: { message: 'Wrong tool.', type: 't', code: 'c', param: 'p' },
    retryAfter: undefined,
  })
})

test('what the provider says of our account is not passed on to the client', () => {
  for (const status of [401, 402, 403]) {
    const { status: translated, error } = vendorOf(
      failureOfStatus(openAi, status, body('Key sk-secret123456 is wrong'), undefined),
    )
    expect(translated).toBe(502)
    expect(error.message).not.toContain('secret')
  }
})

test('when our account is out of credit, the client is not told that its own is', () => {
  const error = { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' }
  const failure = failureOfStatus(openAi, 429, Buffer.from(JSON.stringify({ error })), undefined)
  expect(vendorOf(failure)).toMatchObject({ status: 502, error: { message: expect.not.stringContaining('quota') } })
  expect(failure).toMatchObject({ cause: 'account', retry: true })
})

test('a key that Google refuses under status 400 is not the client’s, and another channel is tried', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details }
  const failure = failureOfStatus(openAi, 400, Buffer.from(JSON.stringify({ error })), undefined)
  expect(failure.retry).toBe(true)
  expect(vendorOf(failure)).toMatchObject({ status: 502, error: { message: expect.not.stringContaining('API key') } })
})

test('of a refusal for too many calls the client reads how long to wait, and nothing of our quotas', () => {
  const message = 'Rate limit reached for gpt-4o in organization org-AbCdEfGhIjKl on tokens per min (TPM): Limit 30000.'
  const error = { message, type: 'tokens', code: 'rate_limit_exceeded' }
  const failure = failureOfStatus(openAi, 429, Buffer.from(JSON.stringify({ error })), 6_200)
  expect(vendorOf(failure)).toEqual({
    status: 429,
    error: {
      message: 'The provider is not accepting more calls at the moment. Try again in 7 s.',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
      param: null,
    },
    retryAfter: 7,
  })
  expect(failure.said).toBe(message.replace('org-AbCdEfGhIjKl', '[key]'))
})

test('of a model that is not served the client reads that alone, and no project or deployment', () => {
  const message = 'Project `proj_AbCdEfGhIjKlMnOp` does not have access to model `gpt-4o`'
  const error = { message, type: 'invalid_request_error', param: null, code: 'model_not_found' }
  const failure = failureOfStatus(openAi, 403, Buffer.from(JSON.stringify({ error })), undefined)
  expect(failure).toMatchObject({ cause: 'unknown_model', retry: true })
  expect(vendorOf(failure)).toMatchObject({ status: 404, error: { code: 'model_not_found', param: 'model' } })
  expect(vendorOf(failure).error.message).not.toMatch(/roj/)
})

test.each([
  ['projects/my-project-1/locations/x is full', 'projects/[project]/locations/x is full'],
  ['enable it on project #1051023892108 first', 'enable it on project #[id] first'],
  ['https://x.test/?project=411082643095 shows it', 'https://x.test/?project=[id] shows it'],
  ['your organization (a22cf6e6-a940-4fff-8c4c-1580816ac7be) is', 'your organization ([id]) is'],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/x cannot', '[arn] cannot'],
])('names of the account are removed from what is passed on: %s', (said, read) => {
  expect(vendorOf(failureOfStatus(openAi, 400, body(said), undefined)).error.message).toBe(read)
})

test('a number that repeats the status is no code: OpenAI’s clients take texts only', () => {
  const numbered = (code: number) => Buffer.from(JSON.stringify({ error: { code, message: 'No.', status: 'X' } }))
  expect(vendorOf(failureOfStatus(openAi, 400, numbered(400), undefined)).error.code).toBe('upstream_rejected')
  expect(vendorOf(failureOfStatus(openAi, 400, numbered(1_214), undefined)).error.code).toBe('1214')
})

test('keys that a provider quotes are removed', () => {
  const quoted = 'Incorrect key sk-abcdefgh12345678, AIzaSyA1234567890abc and Bearer xyz. Ask again.'
  const { error } = vendorOf(failureOfStatus(openAi, 400, body(quoted), undefined))
  expect(error.message).toBe('Incorrect key [key], [key] and [key] Ask again.')
})

test('a page is not echoed', () => {
  const page = Buffer.from('<html><body>nginx at 10.1.2.3</body></html>')
  expect(vendorOf(failureOfStatus(openAi, 502, page, undefined)).error.message).toBe(
    'The provider answered with status 502.',
  )
})

test('a wait is passed on in whole seconds', () => {
  expect(vendorOf(failureOfStatus(openAi, 429, body('x'), 6_200)).retryAfter).toBe(7)
  expect(vendorOf(failureOfStatus(openAi, 429, body('x'), undefined)).retryAfter).toBeUndefined()
})

test('an error under a good status counts as what it is', () => {
  const report = { message: 'm', type: undefined, code: undefined, param: undefined }
  expect(failureOfReport(openAi, { ...report, code: 429 })).toMatchObject({
    retry: true,
    reply: { vendor: { status: 429 } },
  })
  expect(failureOfReport(openAi, { ...report, type: 'invalid_request_error' })).toMatchObject({
    retry: false,
    reply: { vendor: { status: 400 } },
  })
  expect(failureOfReport(openAi, report)).toMatchObject({ retry: true, reply: { vendor: { status: 502 } } })
})

test.each([
  ['connect', 1],
  ['first_byte', 2],
  ['idle', 3],
] as const)('a time-out at %s names its %i s', (stage, seconds) => {
  const { reply, retry } = failureOfCall({ cause: 'timeout', stage }, times)
  expect(reply.refusal).toEqual({ code: 'upstream_timeout', params: { seconds } })
  expect(retry).toBe(true)
})

test('only a connection that closed without sending anything may be tried again on the same channel', () => {
  expect(failureOfCall({ cause: 'closed' }, times).wasClosed).toBe(true)
  expect(failureOfCall({ cause: 'unreachable' }, times).wasClosed).toBe(false)
  expect(failureOfCall({ cause: 'broken', reason: 'x' }, times).wasClosed).toBe(false)
})

test('a refused address is the channel’s own fault, and clients do not learn of it', () => {
  const failure = failureOfCall({ cause: 'forbidden' }, times)
  expect(failure).toMatchObject({ cause: 'setup', retry: true, reply: { refusal: { code: 'upstream_unreachable' } } })
})

test('a call for which no more files could be opened blames no channel and tries no other', { tags: 'S49' }, () => {
  expect(failureOfCall({ cause: 'no_files' }, times)).toMatchObject({
    cause: 'stopped',
    retry: false,
    reply: { refusal: { code: 'overloaded', retryAfter: 1 } },
    detail: expect.stringContaining('EMFILE'),
  })
})
