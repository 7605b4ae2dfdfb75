import { asObject, type JsonObject } from '../json-value.ts'
import { count, divide, tokenCounts } from '../usage/counts.ts'
import { promptClasses } from '../usage/prompt-classes.ts'
import { nanoUsdOf } from '../usage/reported-cost.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}

/** Usage of `/v1/realtime`, from `response.done`. Every response counts the whole conversation as input, cached tokens by kind. */
export const realtimeUsage: UsageReader = {
  find(message) {
    const own = asObject(asObject(message['response'])?.['usage'])
    return own && { own }
  },
  read({ own }) {
    const inputDetails = asObject(own['input_token_details']) ?? EMPTY
    const cachedDetails = asObject(inputDetails['cached_tokens_details']) ?? EMPTY
    const outputDetails = asObject(own['output_token_details']) ?? EMPTY
    const prompt = promptClasses(count(own['input_tokens']) ?? 0, {
      audio: count(inputDetails['audio_tokens']) ?? 0,
      image: count(inputDetails['image_tokens']) ?? 0,
      cached: count(inputDetails['cached_tokens']) ?? 0,
      cachedAudio: count(cachedDetails['audio_tokens']) ?? 0,
      cachedImage: count(cachedDetails['image_tokens']) ?? 0,
    })
    const output = divide(count(own['output_tokens']) ?? 0, { audio: count(outputDetails['audio_tokens']) ?? 0 })
    return {
      counts: tokenCounts({
        ...prompt,
        output: output.rest,
        reasoning: Math.min(count(outputDetails['reasoning_tokens']) ?? 0, output.rest),
        units: { ...prompt.units, audio_output: output.audio },
      }),
      reportedNanoUsd: nanoUsdOf(own),
      own,
    }
  },
}
