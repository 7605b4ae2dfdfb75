import { asObject, type JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'

/** Larger counts are not believed: no model reads or writes two thousand million tokens in one call. */
const COUNT_LIMIT = 2 ** 31 - 1

/**
 * Normalises one OpenAI-style usage object. Knows the places where vendors put cached tokens: details (OpenAI and
 * most), `prompt_cache_hit_tokens` (DeepSeek), top-level `cached_tokens` (Moonshot); cache writes: details
 * `cache_write_tokens` (OpenAI, OpenRouter), `cache_creation_input_tokens` or the split `cache_creation` (DashScope),
 * where a bare total counts as the five-minute class. Undefined when the object is absent, all zero, incomplete or not
 * believable: then the tokens must be counted here.
 */
export function readUsage(usage: unknown): TokenCounts | undefined {
  const fields = asObject(usage)
  if (fields === undefined) return undefined
  const promptDetails = asObject(fields['prompt_tokens_details']) ?? {}
  const completionDetails = asObject(fields['completion_tokens_details']) ?? {}

  const hit = count(fields['prompt_cache_hit_tokens'])
  const miss = count(fields['prompt_cache_miss_tokens'])
  const prompt = count(fields['prompt_tokens']) ?? (hit !== undefined && miss !== undefined ? hit + miss : undefined)
  const total = count(fields['total_tokens'])
  const stated =
    count(fields['completion_tokens']) ?? (total !== undefined && prompt !== undefined ? total - prompt : undefined)
  if (prompt === undefined || stated === undefined || stated < 0 || prompt + stated === 0) return undefined

  const thought = count(completionDetails['reasoning_tokens']) ?? 0
  // xAI's manner: completion excludes reasoning, and only the total tells.
  const output = total !== undefined && thought > 0 && total === prompt + stated + thought ? stated + thought : stated
  const cached = firstPositive(promptDetails['cached_tokens'], hit, fields['cached_tokens'])
  const written = cacheWrites(promptDetails)

  // Parts may not exceed the whole they are part of, whatever the vendor says.
  const cachedInput = Math.min(cached, prompt)
  const cacheWrite1h = Math.min(written.oneHour, prompt - cachedInput)
  const cacheWrite5m = Math.min(written.fiveMinutes, prompt - cachedInput - cacheWrite1h)
  return {
    input: prompt - cachedInput - cacheWrite5m - cacheWrite1h,
    cachedInput,
    cacheWrite5m,
    cacheWrite1h,
    output,
    reasoning: Math.min(thought, output),
  }
}

/** Finds the usage of a parsed reply or chunk: `usage`, then `choices[0].usage` (Moonshot), then `x_groq.usage`. */
export function usageOf(reply: unknown): TokenCounts | undefined {
  const fields = asObject(reply)
  if (fields === undefined) return undefined
  const choices: unknown = fields['choices']
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return (
    readUsage(fields['usage']) ??
    readUsage(asObject(first)?.['usage']) ??
    readUsage(asObject(fields['x_groq'])?.['usage'])
  )
}

function cacheWrites(details: JsonObject): { readonly fiveMinutes: number; readonly oneHour: number } {
  const split = asObject(details['cache_creation']) ?? {}
  const fiveMinutes = count(split['ephemeral_5m_input_tokens']) ?? 0
  const oneHour = count(split['ephemeral_1h_input_tokens']) ?? 0
  const total = firstPositive(details['cache_write_tokens'], details['cache_creation_input_tokens'])
  // A total larger than its split, or without one, is charged as the shorter and cheaper class.
  return { fiveMinutes: Math.max(fiveMinutes, total - oneHour), oneHour }
}

function firstPositive(...candidates: readonly unknown[]): number {
  for (const candidate of candidates) {
    const value = count(candidate)
    if (value !== undefined && value > 0) return value
  }
  return 0
}

/** A believable token count, or undefined. Fractions, which some vendors' estimates have, are rounded up. */
function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= COUNT_LIMIT ? Math.ceil(value) : undefined
}
