import type { Sampling } from './request.ts'

/**
 * Whether a setting asks for anything: many clients always send penalties of 0, one answer, or no bias, which say the same as
 * leaving them out. Of those nothing can be lost.
 */
export function isAsked(name: keyof Sampling, value: Sampling[keyof Sampling]): boolean {
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
