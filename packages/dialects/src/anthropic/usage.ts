import { asObject, type JsonObject } from '../json-value.ts'
import { count, firstPositive, tokenCounts } from '../usage/counts.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}
const PROMPT_FIELDS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/**
 * Usage of `/v1/messages`: of a whole reply, of `message_start`, and of `message_delta`, whose counts are running totals.
 * `input_tokens` excludes cached and written tokens. The first event's output count is always close to zero and ignored: a client
 * that leaves before `message_delta` is charged for the text that arrived.
 */
export const messagesUsage: UsageReader = {
  find(message) {
    const begun = asObject(asObject(message['message'])?.['usage'])
    if (begun !== undefined) return { own: withoutOutput(begun) }
    const own = asObject(message['usage'])
    return own && { own: message['type'] === 'message_delta' ? withoutEmptyPrompt(own) : own }
  },
  read({ own }) {
    const parts = billedParts(own)
    const sum = (read: (part: JsonObject) => number) => parts.reduce((total, part) => total + read(part), 0)
    const searches = asObject(own['server_tool_use'])?.['web_search_requests']
    const details = asObject(own['output_tokens_details']) ?? EMPTY
    const output = sum((part) => count(part['output_tokens']) ?? 0)
    return {
      counts: tokenCounts({
        input: sum((part) => count(part['input_tokens']) ?? 0),
        cachedInput: sum((part) => count(part['cache_read_input_tokens']) ?? 0),
        cacheWrite5m: sum((part) => written(part).fiveMinutes),
        cacheWrite1h: sum((part) => written(part).oneHour),
        output,
        reasoning: Math.min(count(details['thinking_tokens']) ?? 0, output),
        units: { search: count(searches) ?? 0 },
      }),
      reportedNanoUsd: undefined,
      own,
    }
  },
}

function withoutOutput(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([name]) => name !== 'output_tokens'))
}

/** Some compatible servers report the true prompt at the start and zero prompt tokens at the end. */
function withoutEmptyPrompt(usage: JsonObject): JsonObject {
  if (PROMPT_FIELDS.some((name) => firstPositive(usage[name]) > 0)) return usage
  return Object.fromEntries(Object.entries(usage).filter(([name]) => !PROMPT_FIELDS.some((field) => field === name)))
}

/**
 * The charged passes over the model. With compaction there are several, and the top level counts only the last kind. A pass by
 * another model (an advisor) is not priced here and stays in the top-level count.
 */
function billedParts(usage: JsonObject): readonly JsonObject[] {
  const list: unknown = usage['iterations']
  const passes = (Array.isArray(list) ? list : []).map(asObject).filter((pass) => pass !== undefined)
  return passes.some((pass) => pass['type'] === 'compaction')
    ? passes.filter((pass) => pass['type'] === 'compaction' || pass['type'] === 'message')
    : [usage]
}

/** A total larger than its split, or without one, is charged as the shorter and cheaper class. */
function written(part: JsonObject): { readonly fiveMinutes: number; readonly oneHour: number } {
  const split = asObject(part['cache_creation']) ?? EMPTY
  const oneHour = count(split['ephemeral_1h_input_tokens']) ?? 0
  const total = count(part['cache_creation_input_tokens']) ?? 0
  return { fiveMinutes: Math.max(count(split['ephemeral_5m_input_tokens']) ?? 0, total - oneHour), oneHour }
}
