import { asObject, type JsonObject } from '../json-value.ts'
import { count, divide, milliseconds, tokenCounts } from '../usage/counts.ts'
import { nanoUsdOf } from '../usage/reported-cost.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}

/**
 * Usage of `/v1/audio/transcriptions` and `/v1/audio/translations`, plain replies and `transcript.text.done` events: tokens
 * (gpt-4o-transcribe), the audio's length (`usage.seconds` of whisper-1, `usage.prompt_audio_seconds` of Mistral, otherwise the
 * `duration` of a verbose reply), or nothing (plain text and subtitles), in which case the length must come from elsewhere.
 */
export const transcriptionUsage: UsageReader = {
  find(message) {
    const own = asObject(message['usage'])
    const length = milliseconds(message['duration'])
    return own === undefined && length === 0 ? undefined : { own: own ?? EMPTY, beside: { audio_ms: length } }
  },
  read({ own, beside }) {
    const reported = milliseconds(own['seconds'] ?? own['prompt_audio_seconds'])
    const tokens = count(own['input_tokens'])
    const { audio, rest } = divide(tokens ?? 0, {
      audio: count(asObject(own['input_token_details'])?.['audio_tokens']) ?? 0,
    })
    // A provider that counts tokens charges by tokens; a length next to them adds nothing.
    const length = tokens === undefined ? reported || beside?.audio_ms || 0 : 0
    return {
      counts: tokenCounts({
        input: tokens === undefined ? (count(own['prompt_tokens']) ?? 0) : rest,
        output: count(own['output_tokens']) ?? count(own['completion_tokens']) ?? 0,
        units: { audio_input: audio, audio_ms: length },
      }),
      reportedNanoUsd: nanoUsdOf(own),
      own,
    }
  },
}

/**
 * Usage of a streamed `/v1/audio/speech`: its `speech.audio.done` event counts the text read and the audio generated. A plain
 * answer contains only audio, so the characters of the request's text are charged (`charactersOf`).
 */
export const speechUsage: UsageReader = {
  find(message) {
    const own = asObject(message['usage'])
    return own && { own }
  },
  read({ own }) {
    return {
      counts: tokenCounts({
        input: count(own['input_tokens']) ?? count(own['prompt_tokens']) ?? 0,
        units: { audio_output: count(own['output_tokens']) ?? count(own['completion_tokens']) ?? 0 },
      }),
      reportedNanoUsd: nanoUsdOf(own),
      own,
    }
  },
}

/** Unicode code points, as speech vendors count them, not UTF-16 units. */
export function charactersOf(text: string): number {
  let characters = 0
  for (const _ of text) characters++
  return characters
}
