import type { JsonObject } from '../json-value.ts'
import { outputCounted, type TokenCounts } from '../token-counts.ts'
import { nonZero } from '../usage/counts.ts'

/** The prompt includes cached and written tokens, the completion reasoning. Both members for cache writes are filled. */
export function encodeUsage(counts: TokenCounts): JsonObject {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, reasoning, units = {} } = counts
  const cached = cachedInput + (units.cached_audio_input ?? 0) + (units.cached_image_input ?? 0)
  const written = cacheWrite5m + cacheWrite1h
  const audio = (units.audio_input ?? 0) + (units.cached_audio_input ?? 0)
  const image = (units.image_input ?? 0) + (units.cached_image_input ?? 0)
  const video = units.video_input ?? 0
  const prompt = input + cachedInput + written + audio + image + video
  const completion = outputCounted(counts)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: cached,
      ...nonZero({ cache_write_tokens: written, audio_tokens: audio, image_tokens: image, video_tokens: video }),
      ...(cacheWrite1h === 0
        ? {}
        : { cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h } }),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning + (units.reasoning_output ?? 0),
      ...nonZero({ audio_tokens: units.audio_output ?? 0, image_tokens: units.image_output ?? 0 }),
    },
  }
}
