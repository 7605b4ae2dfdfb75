import { messagesVoice } from '@sluice/dialects/anthropic/voice'
import { geminiVoice } from '@sluice/dialects/gemini/voice'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { expect, test } from 'vitest'
import { voiceFor } from './voices.ts'

test.each(['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents', 'countTokens'])(
  'whoever asks for %s is answered as Google answers, under both versions',
  (action) => {
    for (const version of ['v1', 'v1beta']) {
      expect(voiceFor({ path: `/${version}/models/m:${action}`, headers: {} })).toBe(geminiVoice)
    }
  },
)

test('lists of models and files speak as whose client asks', () => {
  const voices = [{}, { 'anthropic-version': '2023-06-01' }, { 'x-goog-api-key': 'k' }]
  for (const path of ['/v1/models', '/v1/models/m', '/v1/files', '/v1/files/f/content']) {
    const asked = voices.map((headers) => voiceFor({ path, headers }))
    expect(asked).toEqual([openAiVoice, messagesVoice, geminiVoice])
  }
  expect(voiceFor({ path: '/upload/v1beta/files', headers: {} })).toBe(geminiVoice)
})
