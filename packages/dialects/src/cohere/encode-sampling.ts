import type { ModelTraits } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { Sampling } from '../canon/request.ts'
import { isAsked } from '../canon/sampling-asked.ts'
import type { JsonObject } from '../json-value.ts'

/** Sampling by Cohere's names and within its limits; what had to be moved into them is told as changed. */
export function encodeSampling(sampling: Sampling, takes: ModelTraits, losses: Losses): JsonObject {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, seed, stop, logprobs } = sampling
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
  if (sampling.n !== undefined && sampling.n !== 1) losses.dropped('n')
  // Answers are told without probabilities, so they are not asked for.
  if (logprobs === true) losses.dropped('logprobs')
  if (isAsked('topLogprobs', sampling.topLogprobs)) losses.dropped('top_logprobs')
  if (isAsked('logitBias', sampling.logitBias)) losses.dropped('logit_bias')
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

function defined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
