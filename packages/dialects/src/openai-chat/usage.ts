import { asObject, type JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { count, firstPositive, tokenCounts } from '../usage/counts.ts'
import { promptClasses } from '../usage/prompt-classes.ts'
import { nanoUsdOf } from '../usage/reported-cost.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}

/** Usage of `/v1/chat/completions` and `/v1/completions`: of a parsed reply or of one chunk. */
export const chatUsage: UsageReader = {
  find(message) {
    const choices: unknown = message['choices']
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined
    // In `usage`, or where Moonshot and Groq put it.
    const own =
      saying(message['usage']) ?? saying(asObject(first)?.['usage']) ?? saying(asObject(message['x_groq'])?.['usage'])
    return own && { own }
  },
  read: ({ own }) => ({ counts: readUsage(own), reportedNanoUsd: nanoUsdOf(own), own }),
}

/** Some vendors send zeros before they have counted; such an object must not replace one with counts. */
function saying(value: unknown): JsonObject | undefined {
  const usage = asObject(value)
  return usage !== undefined && saysSomething(usage) ? usage : undefined
}

function saysSomething(usage: JsonObject): boolean {
  const totals = totalsOf(usage)
  return (totals !== undefined && totals.prompt + totals.output > 0) || (nanoUsdOf(usage) ?? 0) > 0
}

/**
 * Normalises one OpenAI-style usage object. Knows where vendors put cached tokens: details (OpenAI and most),
 * `prompt_cache_hit_tokens` (DeepSeek), top-level `cached_tokens` (Moonshot); cache writes: details `cache_write_tokens` (OpenAI,
 * OpenRouter), `cache_creation_input_tokens` or the split `cache_creation` (DashScope), where a bare total counts as the
 * five-minute class. Audio, pictures and video in either direction come from the details. Undefined if the object is absent, all
 * zero, incomplete or not believable; then the tokens must be counted here.
 */
export function readUsage(usage: unknown): TokenCounts | undefined {
  const fields = asObject(usage)
  const totals = fields && totalsOf(fields)
  if (fields === undefined || totals === undefined || totals.prompt + totals.output === 0) return undefined
  const promptDetails = detailsOf(fields, 'prompt_tokens_details')
  const outputDetails = detailsOf(fields, 'completion_tokens_details')

  const extras = extrasOf(fields)
  const written = cacheWrites(promptDetails)
  const prompt = promptClasses(totals.prompt + extras.citations, {
    audio: count(promptDetails['audio_tokens']) ?? 0,
    image: count(promptDetails['image_tokens']) ?? 0,
    video: count(promptDetails['video_tokens']) ?? 0,
    cached: firstPositive(promptDetails['cached_tokens'], fields['prompt_cache_hit_tokens'], fields['cached_tokens']),
    write5m: written.fiveMinutes,
    write1h: written.oneHour,
  })
  const sound = Math.min(count(outputDetails['audio_tokens']) ?? 0, totals.output)
  const pictures = Math.min(count(outputDetails['image_tokens']) ?? 0, totals.output - sound)
  const output = totals.output - sound - pictures
  const reasoning = Math.min(thought(fields), output)
  const isText = prompt.units === undefined && sound + pictures + extras.reasoning + extras.searches === 0
  if (isText) return tokenCounts({ ...prompt, output, reasoning })
  const made = { audio_output: sound, image_output: pictures, reasoning_output: extras.reasoning }
  return tokenCounts({ ...prompt, output, reasoning, units: { ...prompt.units, ...made, search: extras.searches } })
}

interface Totals {
  readonly prompt: number
  readonly output: number
}

/** Tokens read and written; undefined if either is unknown. */
function totalsOf(fields: JsonObject): Totals | undefined {
  const hit = count(fields['prompt_cache_hit_tokens'])
  const miss = count(fields['prompt_cache_miss_tokens'])
  const prompt = count(fields['prompt_tokens']) ?? (hit !== undefined && miss !== undefined ? hit + miss : undefined)
  const total = count(fields['total_tokens'])
  const stated =
    count(fields['completion_tokens']) ?? (total !== undefined && prompt !== undefined ? total - prompt : undefined)
  if (prompt === undefined || stated === undefined || stated < 0) return undefined

  const beyond = total === undefined ? 0 : total - prompt - stated
  const sound = count(detailsOf(fields, 'prompt_tokens_details')['audio_tokens']) ?? 0
  // Mistral counts audio outside its prompt, xAI reasoning outside its completion, and only the total shows it.
  return {
    prompt: prompt + (beyond > 0 && beyond === sound ? sound : 0),
    output: stated + (beyond > 0 && beyond === thought(fields) ? beyond : 0),
  }
}

function thought(fields: JsonObject): number {
  return count(detailsOf(fields, 'completion_tokens_details')['reasoning_tokens']) ?? 0
}

interface Extras {
  /** Pages read for citations: prompt tokens that are in neither the prompt nor the total. */
  readonly citations: number
  /** Reasoning that is not part of the completion. */
  readonly reasoning: number
  readonly searches: number
}

/**
 * Web searches (OpenRouter's requests, xAI's sources), and what Perplexity's research reads, thinks and searches in addition to its
 * prompt and completion. Perplexity reports those numbers for other models too; whether they are charged depends on its own bill.
 */
function extrasOf(fields: JsonObject): Extras {
  const bill = asObject(fields['cost'])
  const tools = detailsOf(fields, 'server_tool_use_details')
  const searches = firstPositive(tools['web_search_requests'], fields['num_sources_used'])
  if (bill === undefined) return { citations: 0, reasoning: 0, searches }
  const billed = (name: string, cost: string) => (firstPositive(bill[cost]) > 0 ? firstPositive(fields[name]) : 0)
  return {
    citations: billed('citation_tokens', 'citation_tokens_cost'),
    reasoning: billed('reasoning_tokens', 'reasoning_tokens_cost'),
    searches: searches + billed('num_search_queries', 'search_queries_cost'),
  }
}

function cacheWrites(details: JsonObject): { readonly fiveMinutes: number; readonly oneHour: number } {
  const split = asObject(details['cache_creation']) ?? EMPTY
  const fiveMinutes = count(split['ephemeral_5m_input_tokens']) ?? 0
  const oneHour = count(split['ephemeral_1h_input_tokens']) ?? 0
  const total = firstPositive(details['cache_write_tokens'], details['cache_creation_input_tokens'])
  // A total larger than its split, or without one, is charged as the shorter and cheaper class.
  return { fiveMinutes: Math.max(fiveMinutes, total - oneHour), oneHour }
}

function detailsOf(fields: JsonObject, name: string): JsonObject {
  return asObject(fields[name]) ?? EMPTY
}
