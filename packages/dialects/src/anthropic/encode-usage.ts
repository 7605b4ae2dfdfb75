import type { JsonObject } from '../json-value.ts'
import { outputCounted, type TokenCounts } from '../token-counts.ts'

/** `input_tokens` excludes tokens read from or written to a cache. */
export function encodeUsage(counts: TokenCounts): JsonObject {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, reasoning, units = {} } = counts
  const { audio_input: audio = 0, image_input: image = 0, video_input: video = 0, search = 0 } = units
  const thought = reasoning + (units.reasoning_output ?? 0)
  return {
    input_tokens: input + audio + image + video,
    cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
    cache_read_input_tokens: cachedInput + (units.cached_audio_input ?? 0) + (units.cached_image_input ?? 0),
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
    output_tokens: outputCounted(counts),
    output_tokens_details: thought === 0 ? null : { thinking_tokens: thought },
    server_tool_use: search === 0 ? null : { web_search_requests: search, web_fetch_requests: 0 },
    ...NOT_HERE,
  }
}

/** Service details that only Anthropic itself reports. Strict clients require the members. */
const NOT_HERE = { service_tier: null, inference_geo: null, speed: null } as const

/** Estimates the prompt; the end of the stream corrects the number. */
export function estimatedUsage(promptTokens: number): JsonObject {
  return {
    input_tokens: promptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: null,
    server_tool_use: null,
    ...NOT_HERE,
  }
}
