import type { JsonObject } from '../json-value.ts'
import { outputCounted, type TokenCounts } from '../token-counts.ts'
import { nonZero } from '../usage/counts.ts'

/** Cached and written tokens are part of the input, reasoning of the output. */
export function encodeUsage(counts: TokenCounts): JsonObject {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, reasoning, units = {} } = counts
  const cached = cachedInput + (units.cached_audio_input ?? 0) + (units.cached_image_input ?? 0)
  const written = cacheWrite5m + cacheWrite1h
  const audio = (units.audio_input ?? 0) + (units.cached_audio_input ?? 0)
  const image = (units.image_input ?? 0) + (units.cached_image_input ?? 0)
  const prompt = input + cachedInput + written + audio + image + (units.video_input ?? 0)
  const answer = outputCounted(counts)
  const thought = reasoning + (units.reasoning_output ?? 0)
  return {
    input_tokens: prompt,
    input_tokens_details: {
      cached_tokens: cached,
      cache_write_tokens: written,
      ...nonZero({ audio_tokens: audio, image_tokens: image }),
    },
    output_tokens: answer,
    output_tokens_details: {
      reasoning_tokens: thought,
      ...nonZero({ audio_tokens: units.audio_output ?? 0, image_tokens: units.image_output ?? 0 }),
    },
    total_tokens: prompt + answer,
  }
}
