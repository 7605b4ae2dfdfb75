import { expect, test } from 'vitest'
import { usageOfReply } from '../usage/usage-report.ts'
import { realtimeUsage } from './usage.ts'

/** From OpenAI's reference for `response.done`. */
const DONE = {
  type: 'response.done',
  response: {
    object: 'realtime.response',
    status: 'completed',
    usage: {
      total_tokens: 253,
      input_tokens: 132,
      output_tokens: 121,
      input_token_details: {
        text_tokens: 119,
        audio_tokens: 13,
        image_tokens: 0,
        cached_tokens: 64,
        cached_tokens_details: { text_tokens: 64, audio_tokens: 0, image_tokens: 0 },
      },
      output_token_details: { text_tokens: 30, audio_tokens: 91 },
    },
  },
}

test('text and sound, read, cached and made, are separate classes', () => {
  expect(usageOfReply(realtimeUsage, DONE)?.counts).toStrictEqual({
    input: 55,
    cachedInput: 64,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 30,
    reasoning: 0,
    units: { audio_input: 13, audio_output: 91 },
  })
})

test('cached sound and pictures are not cached text', () => {
  const usage = {
    input_tokens: 1_000,
    output_tokens: 0,
    input_token_details: {
      text_tokens: 100,
      audio_tokens: 600,
      image_tokens: 300,
      cached_tokens: 550,
      cached_tokens_details: { text_tokens: 50, audio_tokens: 400, image_tokens: 100 },
    },
  }
  expect(usageOfReply(realtimeUsage, { response: { usage } })?.counts).toMatchObject({
    input: 50,
    cachedInput: 50,
    units: { audio_input: 200, cached_audio_input: 400, image_input: 200, cached_image_input: 100 },
  })
})

test.each([{}, { response: null }, { response: { usage: null } }, { usage: { input_tokens: 1 } }])(
  '%j contains no usage',
  (message) => {
    expect(usageOfReply(realtimeUsage, message)).toBeUndefined()
  },
)
