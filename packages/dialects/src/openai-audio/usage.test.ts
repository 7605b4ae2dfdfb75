import { expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { charactersOf, speechUsage, transcriptionUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

test.each([
  [
    'audio tokens and those of the prompt are apart',
    {
      text: 'Hi',
      usage: {
        type: 'tokens',
        input_tokens: 64,
        input_token_details: { text_tokens: 10, audio_tokens: 54 },
        output_tokens: 7,
        total_tokens: 71,
      },
    },
    { input: 10, output: 7, units: { audio_input: 54 } },
  ],
  [
    'seconds that the vendor bills',
    { text: 'Hi', usage: { type: 'duration', seconds: 9 } },
    { units: { audio_ms: 9_000 } },
  ],
  [
    'billed seconds over the length of the sound',
    { text: 'Hi', duration: 8.470000267028809, usage: { type: 'duration', seconds: 9 } },
    { units: { audio_ms: 9_000 } },
  ],
  ['the length of a verbose reply', { task: 'transcribe', duration: 8.4701 }, { units: { audio_ms: 8_471 } }],
  ['a length written as text', { task: 'transcribe', duration: '12.5' }, { units: { audio_ms: 12_500 } }],
  [
    'Mistral’s seconds beside its tokens',
    { text: 'Hi', usage: { prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635, total_tokens: 3_264 } },
    { input: 4, output: 635, units: { audio_ms: 203_000 } },
  ],
])('transcription: %s', (_, reply, expected) => {
  expect(usageOfReply(transcriptionUsage, reply)?.counts).toStrictEqual({ ...none, ...expected })
})

test('a transcription without usage or length must be measured elsewhere', () => {
  expect(usageOfReply(transcriptionUsage, { text: 'Hi' })).toBeUndefined()
  expect(usageOfReply(transcriptionUsage, { text: 'Hi', duration: -1, usage: {} })?.counts).toBeUndefined()
})

test('a streamed transcription reports its usage at the end', () => {
  const stream = openUsageStream(transcriptionUsage)
  stream.see({ type: 'transcript.text.delta', delta: 'Hi' })
  const usage = { type: 'tokens', input_tokens: 14, input_token_details: { audio_tokens: 14 }, output_tokens: 3 }
  stream.see({ type: 'transcript.text.done', text: 'Hi', usage })
  expect(stream.report()?.counts).toStrictEqual({ ...none, output: 3, units: { audio_input: 14 } })
})

test('streamed speech reports the text read and the sound made', () => {
  const stream = openUsageStream(speechUsage)
  stream.see({ type: 'speech.audio.delta', audio: 'aGk=' })
  stream.see({ type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } })
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 14, units: { audio_output: 101 } })
})

test('characters are code points', () => {
  expect(charactersOf('Zoë 🌍')).toBe(5)
  expect(charactersOf('')).toBe(0)
})
