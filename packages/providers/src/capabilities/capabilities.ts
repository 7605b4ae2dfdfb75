import type { ModelTraits } from '@sluice/dialects/canon/codec'
import { kindOf } from '../kinds/all.ts'
import { CAPABILITY_RULES, type CapabilityRule } from './rules.ts'

/** What a screen offers for a model. Names as in the specification. */
export interface Capabilities {
  readonly supportsTopP: boolean
  readonly supportsTopK: boolean
  readonly supportsMaxCompletionTokens: boolean
  readonly supportsFrequencyPenalty: boolean
  readonly supportsPresencePenalty: boolean
  readonly supportsStop: boolean
  readonly supportsReasoningEffort: boolean
  /** A budget of thinking tokens. */
  readonly supportsThinking: boolean
  readonly supportsVision: boolean
}

/** Prefixes of a model's name from resellers and hosts: vendors, regions, folders. */
const PREFIX =
  /^(?:.*\/)?(?:(?:us|eu|apac|jp|au|global)\.)?(?:(?:anthropic|meta|mistral|cohere|deepseek|qwen|openai)\.)?/

/** The rule for a model, whoever hosts it; undefined for an unknown one. */
function ruleFor(model: string): CapabilityRule | undefined {
  const name = model.toLowerCase().replace(PREFIX, '')
  return CAPABILITY_RULES.find(({ models }) => models.test(name))
}

/** What a playground offers; for unknown models all but thinking and pictures. The relay omits what a model does not accept. */
export function capabilitiesOf(model: string, kind: number): Capabilities {
  const rule = ruleFor(model)
  const unknown = rule === undefined
  return {
    supportsTopP: unknown || rule.sampling === 'yes',
    supportsTopK: unknown ? kindOf(kind)?.takesTopK === true : rule.topK === true,
    supportsMaxCompletionTokens: rule?.maxTokens !== false,
    supportsFrequencyPenalty: unknown || rule.penalties === 'both',
    supportsPresencePenalty: unknown || rule.penalties === 'both' || rule.penalties === 'presence',
    supportsStop: unknown || rule.stop === true,
    supportsReasoningEffort: rule?.efforts !== undefined && rule.thinking !== 'forced',
    supportsThinking: rule?.thinking === 'budget',
    supportsVision: rule?.vision === true,
  }
}

/** What the relay sends to a model. Unknown models are sent what the client said. */
export function traitsOf(model: string): ModelTraits {
  const rule = ruleFor(model)
  if (rule === undefined) return {}
  return {
    sampling: { yes: 'all', off: 'unless-thinking', no: 'none' }[rule.sampling] as ModelTraits['sampling'],
    topK: rule.topK === true,
    penalties: rule.penalties !== undefined,
    stop: rule.stop === true,
    thinking: rule.thinking ?? 'none',
    efforts: rule.efforts,
  }
}
