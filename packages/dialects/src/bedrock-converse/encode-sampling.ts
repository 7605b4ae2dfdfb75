import type { Target } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { CanonRequest, Sampling } from '../canon/request.ts'
import { cooled, dropSampling } from '../canon/requested-sampling.ts'
import type { JsonObject } from '../json-value.ts'
import type { ModelFamily } from './model-family.ts'

/** Settings that Converse does not support. */
const UNKNOWN: ReadonlySet<keyof Sampling> = new Set([
  'n',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'logprobs',
  'topLogprobs',
  'logitBias',
])

export interface EncodedInference {
  readonly inferenceConfig: JsonObject
  /** For `additionalModelRequestFields`. */
  readonly modelFields: JsonObject
}

/** `thinks`: the model is asked to think. */
export function encodeInference(
  { sampling, maxTokens }: CanonRequest,
  { family, target, thinks }: { readonly family: ModelFamily; readonly target: Target; readonly thinks: boolean },
  losses: Losses,
): EncodedInference {
  dropSampling(sampling, (name) => UNKNOWN.has(name), losses)
  const { takes } = target
  // Claude refuses sampling settings while it thinks.
  const rule = takes.sampling ?? (family === 'anthropic' ? 'unless-thinking' : 'all')
  const samples = rule === 'all' || (rule === 'unless-thinking' && !thinks)
  const allowed = (name: string, value: number | undefined, may: boolean) => {
    if (value === undefined || may) return value
    losses.dropped(name)
    return undefined
  }
  const temperature = allowed('temperature', sampling.temperature, samples)
  const topP = allowed('top_p', sampling.topP, samples)
  const topK = allowed('top_k', sampling.topK, samples && takes.topK !== false)
  const stop = sampling.stop?.filter((text) => text !== '') ?? []
  if (stop.length > 0 && takes.stop === false) losses.dropped('stop')
  const modelFields = topK === undefined ? {} : encodeTopK(topK, family)
  if (modelFields === undefined) losses.dropped('top_k')
  const most = maxTokens === undefined ? undefined : Math.min(maxTokens, takes.maxOutput ?? maxTokens)
  if (most !== maxTokens) losses.changed('max_tokens')
  return {
    inferenceConfig: {
      ...(most === undefined ? {} : { maxTokens: most }),
      ...(temperature === undefined ? {} : { temperature: cooled(temperature, losses) }),
      ...(topP === undefined ? {} : { topP }),
      ...(stop.length === 0 || takes.stop === false ? {} : { stopSequences: stop }),
    },
    modelFields: modelFields ?? {},
  }
}

/** Each vendor has a different name for it; undefined if unknown. */
function encodeTopK(topK: number, family: ModelFamily): JsonObject | undefined {
  switch (family) {
    case 'anthropic':
    case 'mistral':
      return { top_k: topK }
    case 'nova':
      return { inferenceConfig: { topK } }
    case 'cohere':
      return { k: topK }
    default:
      return undefined
  }
}
