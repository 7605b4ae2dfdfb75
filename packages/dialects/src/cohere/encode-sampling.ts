import type { ModelTraits } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { Sampling } from '../canon/request.ts'
import { dropSampling } from '../canon/requested-sampling.ts'
import { defined, type JsonObject } from '../json-value.ts'

/** Settings without a field here; answers are translated without probabilities, so those are not requested either. */
const UNKNOWN: ReadonlySet<keyof Sampling> = new Set(['n', 'logprobs', 'topLogprobs', 'logitBias'])

/** Sampling by Cohere's names and within its limits; values that had to be moved into them are listed as changed. */
export function encodeSampling(sampling: Sampling, takes: ModelTraits, losses: Losses): JsonObject {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, seed, stop } = sampling
  const within = (name: string, value: number | undefined, least: number, most: number) => {
    if (value === undefined) return undefined
    if (takes.sampling === 'none') {
      losses.dropped(name)
      return undefined
    }
    const fitted = Math.min(Math.max(value, least), most)
    if (fitted !== value) losses.changed(name)
    return fitted
  }
  dropSampling(sampling, (name) => UNKNOWN.has(name), losses)
  const stops = stop?.filter((text) => text !== '') ?? []
  return defined({
    temperature: within('temperature', temperature, 0, 2),
    p: within('top_p', topP, 0.01, 0.99),
    k: within('top_k', topK, 0, 500),
    presence_penalty: within('presence_penalty', presencePenalty, 0, 1),
    frequency_penalty: within('frequency_penalty', frequencyPenalty, 0, 1),
    seed,
    stop_sequences: stops.length === 0 ? undefined : stops,
  })
}
