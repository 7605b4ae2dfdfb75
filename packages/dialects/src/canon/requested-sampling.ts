import type { Losses } from './losses.ts'
import type { Sampling } from './request.ts'

/** False for defaults that many clients always send (penalties of 0, one answer, no bias): omitting them is not a loss. */
export function isRequested(name: keyof Sampling, value: Sampling[keyof Sampling]): boolean {
  switch (name) {
    case 'n':
      return value !== undefined && value !== 1
    case 'presencePenalty':
    case 'frequencyPenalty':
    case 'topLogprobs':
      return value !== undefined && value !== 0
    case 'logprobs':
      return value === true
    case 'logitBias':
      return value !== undefined && Object.keys(value).length > 0
    case 'stop':
      return Array.isArray(value) && value.length > 0
    default:
      return value !== undefined
  }
}

/** Names in OpenAI's dialects. */
const WIRE_NAMES: Readonly<Record<keyof Sampling, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  n: 'n',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logprobs: 'logprobs',
  topLogprobs: 'top_logprobs',
  logitBias: 'logit_bias',
}

/** OpenAI's scale ends at 2, Anthropic's and Converse's at 1. */
export function cooled(temperature: number, losses: Losses): number {
  if (temperature <= 1) return temperature
  losses.changed('temperature')
  return 1
}

/** Lists as dropped every requested setting for which `isDropped` is true. */
export function dropSampling(sampling: Sampling, isDropped: (name: keyof Sampling) => boolean, losses: Losses): void {
  for (const name of Object.keys(WIRE_NAMES) as (keyof Sampling)[])
    if (isDropped(name) && isRequested(name, sampling[name])) losses.dropped(WIRE_NAMES[name])
}
