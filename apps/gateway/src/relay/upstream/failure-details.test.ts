import { messagesFormat } from '@sluice/dialects/anthropic/client-format'
import type { ClientFormat } from '@sluice/dialects/client-format'
import { geminiFormat } from '@sluice/dialects/gemini/client-format'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { responsesFormat } from '@sluice/dialects/openai-responses/client-format'
import { openAi } from '@sluice/providers/kinds/openai'
import { expect, test } from 'vitest'
import { failureOfStatus } from './failure.ts'

/** A provider's error details reach clients of its own dialect. */
const RPC = 'type.googleapis.com/google.rpc.'
const GOOGLE = {
  error: {
    code: 429,
    message: 'Quota exceeded.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': `${RPC}QuotaFailure`, violations: [{ quotaMetric: 'requests', quotaValue: '15' }] },
      { '@type': `${RPC}BadRequest`, fieldViolations: [{ field: 'contents[0].parts', description: 'is empty' }] },
      { '@type': `${RPC}RetryInfo`, retryDelay: '34.074824224s' },
      { '@type': `${RPC}DebugInfo`, stackEntries: ['server.cc:12'] },
      { '@type': `${RPC}ErrorInfo`, reason: 'RATE_LIMIT', metadata: { consumer: 'projects/4711' } },
    ],
  },
}
const ANTHROPIC = {
  type: 'error',
  error: { type: 'not_found_error', message: 'No thread.', details: { error_code: 'thread_not_found' } },
}
const AZURE = {
  error: {
    message: 'Filtered.',
    type: null,
    param: 'prompt',
    code: 'content_filter',
    innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } },
  },
}

const failure = (status: number, body: object) =>
  failureOfStatus(openAi, status, Buffer.from(JSON.stringify(body)), undefined)

function translated(
  status: number,
  body: object,
  format: ClientFormat,
  how: 'encodeError' | 'encodeStreamError' = 'encodeError',
) {
  const { vendor } = failure(status, body).reply
  if (vendor === undefined) throw new Error('no vendor error')
  const text = new TextDecoder().decode(format[how](vendor.error, vendor.status, 'r1'))
  return (JSON.parse(text.slice(text.indexOf('{')).split('\n')[0] ?? '') as { error: Record<string, unknown> }).error
}

test('Google’s details reach clients of Gemini, without those about its servers and the account', () => {
  const [quota, fields, retry, , reason] = GOOGLE.error.details
  const { metadata: _, ...said } = reason as { metadata: object }
  for (const how of ['encodeError', 'encodeStreamError'] as const) {
    expect(translated(400, GOOGLE, geminiFormat, how)['details']).toEqual([quota, fields, retry, said])
  }
})

test('of Google’s details about a quota of the account only the wait reaches clients', () => {
  const [, , retry] = GOOGLE.error.details
  for (const how of ['encodeError', 'encodeStreamError'] as const) {
    expect(translated(429, GOOGLE, geminiFormat, how)['details']).toEqual([
      retry,
      expect.objectContaining({ reason: 'rate_limit_exceeded' }),
    ])
  }
})

test('a delay in Google’s details sets the wait in the answer, and that of the lane', () => {
  expect(failure(429, GOOGLE)).toMatchObject({ waitMs: 34_075, reply: { vendor: { retryAfter: 35 } } })
  const asked = failureOfStatus(openAi, 429, Buffer.from(JSON.stringify(GOOGLE)), 2_000)
  expect(asked).toMatchObject({ waitMs: 2_000 })
})

test('clients of other dialects receive the field at fault, and no details that they cannot read', () => {
  expect(translated(400, GOOGLE, openAiFormat)).toMatchObject({ param: 'contents[0].parts', code: 'RATE_LIMIT' })
  expect(translated(400, GOOGLE, openAiFormat)).not.toHaveProperty('details')
  expect(translated(400, GOOGLE, messagesFormat)).not.toHaveProperty('details')
  expect(translated(404, ANTHROPIC, openAiFormat)).not.toHaveProperty('details')
  expect(translated(400, AZURE, messagesFormat)).not.toHaveProperty('innererror')
})

test('Anthropic’s details reach its clients', () => {
  for (const how of ['encodeError', 'encodeStreamError'] as const) {
    expect(translated(404, ANTHROPIC, messagesFormat, how)).toMatchObject({
      details: { error_code: 'thread_not_found' },
    })
  }
})

test('Azure’s inner error reaches clients of OpenAI', () => {
  for (const format of [openAiFormat, responsesFormat]) {
    expect(translated(400, AZURE, format)).toMatchObject({ innererror: AZURE.error.innererror })
    expect(translated(400, AZURE, format, 'encodeStreamError')).toMatchObject({ innererror: AZURE.error.innererror })
  }
})

test('keys are removed from details as from messages', { tags: 'S20' }, () => {
  const details = { error_code: 'x', hint: ['Bearer abc', { 'sk-abcdefgh12345678': 'AIzaSyA1234567890abc' }] }
  const error = { ...ANTHROPIC, error: { ...ANTHROPIC.error, details } }
  expect(translated(400, error, messagesFormat)['details']).toEqual({
    error_code: 'x',
    hint: ['[key]', { '[key]': '[key]' }],
  })
})

test('details that are large or deep are left out; the error itself is passed on', { tags: 'S27' }, () => {
  const deep = JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) as object
  for (const details of [{ text: 'x'.repeat(5_000) }, deep]) {
    const error = translated(400, { ...ANTHROPIC, error: { ...ANTHROPIC.error, details } }, messagesFormat)
    expect(error).toMatchObject({ message: expect.stringContaining('No thread.') })
    expect(error).not.toHaveProperty('details')
  }
})

test('what the provider says of our account is not passed on in details either', { tags: 'S20' }, () => {
  expect(translated(403, ANTHROPIC, messagesFormat)).not.toHaveProperty('details')
})
