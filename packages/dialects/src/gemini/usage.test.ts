import { expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { geminiUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
const of = (modality: string, tokenCount: number) => ({ modality, tokenCount })

test.each([
  [
    'thoughts are beside the candidates',
    { promptTokenCount: 10, candidatesTokenCount: 20, thoughtsTokenCount: 300, totalTokenCount: 330 },
    { input: 10, output: 320, reasoning: 300 },
  ],
  [
    'results of tools are beside the prompt',
    { promptTokenCount: 10, toolUsePromptTokenCount: 90, candidatesTokenCount: 5, totalTokenCount: 105 },
    { input: 100, output: 5 },
  ],
  [
    'sound, pictures and film are told apart, documents are text',
    {
      promptTokenCount: 1_000,
      promptTokensDetails: [of('TEXT', 10), of('DOCUMENT', 190), of('AUDIO', 300), of('IMAGE', 258), of('VIDEO', 242)],
      candidatesTokenCount: 7,
    },
    { input: 200, output: 7, units: { audio_input: 300, image_input: 258, video_input: 242 } },
  ],
  [
    'what was cached is told by kind',
    {
      promptTokenCount: 1_000,
      promptTokensDetails: [of('TEXT', 500), of('AUDIO', 300), of('VIDEO', 200)],
      cachedContentTokenCount: 600,
      cacheTokensDetails: [of('TEXT', 250), of('AUDIO', 200), of('VIDEO', 150)],
      candidatesTokenCount: 1,
    },
    {
      input: 250,
      cachedInput: 400,
      output: 1,
      units: { audio_input: 100, cached_audio_input: 200, video_input: 50 },
    },
  ],
  [
    'a picture that was made',
    { promptTokenCount: 8, candidatesTokenCount: 1_298, candidatesTokensDetails: [of('IMAGE', 1_290), of('TEXT', 8)] },
    { input: 8, output: 8, units: { image_output: 1_290 } },
  ],
  [
    'candidates that only the total tells',
    { promptTokenCount: 8, thoughtsTokenCount: 40, totalTokenCount: 60 },
    { input: 8, output: 52, reasoning: 40 },
  ],
])('%s', (_, usageMetadata, expected) => {
  expect(usageOfReply(geminiUsage, { usageMetadata })?.counts).toStrictEqual({ ...none, ...expected })
})

test('a grounded prompt is one search with older models, each query one with later ones', () => {
  const reply = (modelVersion: string) => ({
    candidates: [{ groundingMetadata: { webSearchQueries: ['a', 'b', ''] } }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    modelVersion,
  })
  expect(usageOfReply(geminiUsage, reply('gemini-2.5-flash'))?.counts?.units).toStrictEqual({ search: 1 })
  expect(usageOfReply(geminiUsage, reply('gemini-3.1-pro-preview'))?.counts?.units).toStrictEqual({ search: 2 })
})

test('searches that an early event of a stream reported are not forgotten', () => {
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1 }
  const stream = openUsageStream(geminiUsage)
  stream.see({ candidates: [{ groundingMetadata: { webSearchQueries: ['a'] } }], usageMetadata })
  stream.see({ candidates: [{}], usageMetadata: { ...usageMetadata, candidatesTokenCount: 9 } })
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 1, output: 9, units: { search: 1 } })
})
