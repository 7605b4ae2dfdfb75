import { asObject, type JsonObject } from '../json-value.ts'
import { count, tokenCounts } from '../usage/counts.ts'
import type { UsageReader } from '../usage/usage-report.ts'

/**
 * Usage of Bedrock's Converse: of a whole reply, or of the `metadata` event that ends a stream, bare or in its wrapper.
 * `inputTokens` excludes cached and written tokens; `cacheDetails` splits the written ones by lifetime.
 */
export const converseUsage: UsageReader = {
  find(message) {
    const own = asObject(message['usage']) ?? asObject(asObject(message['metadata'])?.['usage'])
    return own && { own }
  },
  read({ own }) {
    const total = count(own['cacheWriteInputTokens']) ?? 0
    const oneHour = writtenFor(own, '1h')
    return {
      counts: tokenCounts({
        input: count(own['inputTokens']) ?? 0,
        cachedInput: count(own['cacheReadInputTokens']) ?? 0,
        cacheWrite5m: Math.max(writtenFor(own, '5m'), total - oneHour),
        cacheWrite1h: oneHour,
        output: count(own['outputTokens']) ?? 0,
      }),
      reportedNanoUsd: undefined,
      own,
    }
  },
}

function writtenFor(usage: JsonObject, ttl: string): number {
  const details: unknown = usage['cacheDetails']
  const list = (Array.isArray(details) ? details : []).map(asObject)
  return list.reduce((sum, item) => sum + (item?.['ttl'] === ttl ? (count(item['inputTokens']) ?? 0) : 0), 0)
}
