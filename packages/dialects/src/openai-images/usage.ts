import { asObject, type JsonObject } from '../json-value.ts'
import { count, divide, firstPositive, tokenCounts } from '../usage/counts.ts'
import { promptClasses } from '../usage/prompt-classes.ts'
import { nanoUsdOf } from '../usage/reported-cost.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}

/**
 * Usage of `/v1/images/*`: the pictures generated and, if the vendor counts them (gpt-image, Volcano's Seedream), the tokens. Both
 * are reported; the price decides which of them is charged. Output counts as picture tokens unless its details say otherwise. In a
 * stream, each `…completed` event is one picture; Volcano's last event counts them all.
 */
export const imagesUsage: UsageReader = {
  find(message) {
    const pictures = picturesOf(message)
    const own = asObject(message['usage'])
    return own === undefined && pictures === 0 ? undefined : { own: own ?? EMPTY, pictures }
  },
  read({ own, pictures = 0 }) {
    const inputDetails = asObject(own['input_tokens_details']) ?? EMPTY
    const outputDetails = asObject(own['output_tokens_details']) ?? EMPTY
    const prompt = promptClasses(count(own['input_tokens']) ?? 0, {
      image: count(inputDetails['image_tokens']) ?? 0,
      cached: count(inputDetails['cached_tokens']) ?? 0,
    })
    const output = divide(count(own['output_tokens']) ?? 0, { text: count(outputDetails['text_tokens']) ?? 0 })
    return {
      counts: tokenCounts({
        ...prompt,
        output: output.text,
        units: {
          ...prompt.units,
          image_output: output.rest,
          image: firstPositive(own['generated_images'], pictures),
        },
      }),
      reportedNanoUsd: nanoUsdOf(own),
      own,
    }
  },
}

/** Excludes failed pictures, which some vendors list with an `error`. */
function picturesOf(message: JsonObject): number {
  const list: unknown = message['data'] ?? message['images']
  if (Array.isArray(list)) return list.filter((item) => asObject(asObject(item)?.['error']) === undefined).length
  const type = message['type']
  return typeof type === 'string' && type.endsWith('.completed') && 'b64_json' in message ? 1 : 0
}
