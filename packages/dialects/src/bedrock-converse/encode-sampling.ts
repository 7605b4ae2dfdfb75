import type { Target } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { CanonRequest, Sampling } from '../canon/request.ts'
import { isAsked } from '../canon/sampling-asked.ts'
import type { JsonObject } from '../json-value.ts'
import type { ModelFamily } from './model-family.ts'

/** Fields of OpenAI's chat that Converse has no place for. */
const UNKNOWN = {
  n: 'n',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logprobs: 'logprobs',
  topLogprobs: 'top_logprobs',
  logitBias: 'logit_bias',
} as const satisfies Partial<Record<keyof Sampling, string>>

export interface EncodedInference {
  readonly inferenceConfig: JsonObject
  /** For `additionalModelRequestFields`. */
  readonly modelFields: JsonObject
}

/** Length and sampling. `thinks`: the model is asked to think. */
export function encodeInference(
  { sampling, maxTokens }: CanonRequest,
  { family, target, thinks }: { readonly family: ModelFamily; readonly target: Target; readonly thinks: boolean },
  losses: Losses,
): EncodedInference {
  for (const [key, name] of Object.entries(UNKNOWN))
    if (isAsked(key as keyof Sampling, sampling[key as keyof Sampling])) losses.dropped(name)
  const { takes } = target
  // Claude refuses to be steered while it thinks.
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

/** OpenAI's scale ends at 2, Converse's at 1. */
function cooled(temperature: number, losses: Losses): number {
  if (temperature <= 1) return temperature
  losses.changed('temperature')
  return 1
}

/** Each vendor names it differently; undefined where none is known to take it. */
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
