import { messagesVoice } from '@sluice/dialects/anthropic/voice'
import type { ClientVoice } from '@sluice/dialects/client-voice'
import { geminiVoice } from '@sluice/dialects/gemini/voice'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { responsesVoice } from '@sluice/dialects/openai-responses/voice'
import { expect, test } from 'vitest'
import { failureOfStatus } from './failure.ts'

/** What a provider says beside the message of its error reaches clients of its own dialect. */
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

const failure = (status: number, body: object) => failureOfStatus(status, Buffer.from(JSON.stringify(body)), undefined)

function told(
  status: number,
  body: object,
  voice: ClientVoice,
  how: 'encodeError' | 'encodeStreamError' = 'encodeError',
) {
  const { vendor } = failure(status, body).reply
  if (vendor === undefined) throw new Error('no vendor error')
  const text = new TextDecoder().decode(voice[how](vendor.error, vendor.status, 'r1'))
  return (JSON.parse(text.slice(text.indexOf('{')).split('\n')[0] ?? '') as { error: Record<string, unknown> }).error
}

test('Google’s details reach clients of Gemini, without those about its servers and the account', () => {
  const [quota, fields, retry, , reason] = GOOGLE.error.details
  const { metadata: _, ...said } = reason as { metadata: object }
  for (const how of ['encodeError', 'encodeStreamError'] as const) {
    expect(told(429, GOOGLE, geminiVoice, how)['details']).toEqual([quota, fields, retry, said])
  }
})

test('a delay in Google’s details is the wait of the answer, and of the lane', () => {
  expect(failure(429, GOOGLE)).toMatchObject({ waitMs: 34_075, reply: { vendor: { retryAfter: 35 } } })
  const asked = failureOfStatus(429, Buffer.from(JSON.stringify(GOOGLE)), 2_000)
  expect(asked).toMatchObject({ waitMs: 2_000 })
})

test('clients of other dialects are told the field at fault, and no details that they cannot read', () => {
  expect(told(400, GOOGLE, openAiVoice)).toMatchObject({ param: 'contents[0].parts', code: 'RATE_LIMIT' })
  expect(told(400, GOOGLE, openAiVoice)).not.toHaveProperty('details')
  expect(told(400, GOOGLE, messagesVoice)).not.toHaveProperty('details')
  expect(told(404, ANTHROPIC, openAiVoice)).not.toHaveProperty('details')
  expect(told(400, AZURE, messagesVoice)).not.toHaveProperty('innererror')
})

test('Anthropic’s details reach its clients', () => {
  for (const how of ['encodeError', 'encodeStreamError'] as const) {
    expect(told(404, ANTHROPIC, messagesVoice, how)).toMatchObject({ details: { error_code: 'thread_not_found' } })
  }
})

test('Azure’s inner error reaches clients of OpenAI', () => {
  for (const voice of [openAiVoice, responsesVoice]) {
    expect(told(400, AZURE, voice)).toMatchObject({ innererror: AZURE.error.innererror })
    expect(told(400, AZURE, voice, 'encodeStreamError')).toMatchObject({ innererror: AZURE.error.innererror })
  }
})

test('S20 keys are cut out of details as out of messages', () => {
  const details = { error_code: 'x', hint: ['Bearer abc', { 'sk-abcdefgh12345678': 'AIzaSyA1234567890abc' }] }
  const error = { ...ANTHROPIC, error: { ...ANTHROPIC.error, details } }
  expect(told(400, error, messagesVoice)['details']).toEqual({ error_code: 'x', hint: ['[key]', { '[key]': '[key]' }] })
})

test('S27 details that are large or deep are left out; the error itself is told', () => {
  const deep = JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) as object
  for (const details of [{ text: 'x'.repeat(5_000) }, deep]) {
    const error = told(400, { ...ANTHROPIC, error: { ...ANTHROPIC.error, details } }, messagesVoice)
    expect(error).toMatchObject({ message: expect.stringContaining('No thread.') })
    expect(error).not.toHaveProperty('details')
  }
})

test('S20 what the provider says of our account is not told in details either', () => {
  expect(told(403, ANTHROPIC, messagesVoice)).not.toHaveProperty('details')
})
