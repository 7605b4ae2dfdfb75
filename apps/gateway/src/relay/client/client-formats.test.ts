import { messagesFormat } from '@sluice/dialects/anthropic/client-format'
import { geminiFormat } from '@sluice/dialects/gemini/client-format'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { expect, test } from 'vitest'
import { formatFor } from './client-formats.ts'

test.each(['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents', 'countTokens'])(
  'callers of %s are answered as Google answers, under both versions',
  (action) => {
    for (const version of ['v1', 'v1beta']) {
      expect(formatFor({ path: `/${version}/models/m:${action}`, headers: {} })).toBe(geminiFormat)
    }
  },
)

test('lists of models and files have the format of the client that asks', () => {
  const formats = [{}, { 'anthropic-version': '2023-06-01' }, { 'x-goog-api-key': 'k' }]
  for (const path of ['/v1/models', '/v1/models/m', '/v1/files', '/v1/files/f/content']) {
    const requested = formats.map((headers) => formatFor({ path, headers }))
    expect(requested).toEqual([openAiFormat, messagesFormat, geminiFormat])
  }
  expect(formatFor({ path: '/upload/v1beta/files', headers: {} })).toBe(geminiFormat)
})
