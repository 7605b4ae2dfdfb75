import { asObject, type JsonObject } from '../json-value.ts'
import { count, tokenCounts } from '../usage/counts.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}

/**
 * Usage of Cohere's v2 chat (`usage`, in a stream in its `message-end`), embed and rerank (`meta`), and of similar rerankers
 * (SiliconFlow's `meta.tokens`, Jina's `usage.total_tokens`). Billed units are what Cohere charges: they exclude its own template
 * tokens, and cached tokens cost the same as others.
 */
export const cohereUsage: UsageReader = {
  find(message) {
    const places = [message['usage'], asObject(message['delta'])?.['usage'], message['meta']]
    const own = places.map(asObject).find((place) => place !== undefined)
    return own && { own }
  },
  read({ own }) {
    const billed = asObject(own['billed_units']) ?? asObject(own['tokens']) ?? EMPTY
    return {
      counts: tokenCounts({
        input: count(billed['input_tokens']) ?? count(own['total_tokens']) ?? 0,
        output: count(billed['output_tokens']) ?? 0,
        units: { search: count(billed['search_units']) ?? 0, image_input: count(billed['image_tokens']) ?? 0 },
      }),
      reportedNanoUsd: undefined,
      own,
    }
  },
}
