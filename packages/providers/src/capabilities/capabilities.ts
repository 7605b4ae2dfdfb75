import type { ModelTraits } from '@sluice/dialects/canon/codec'
import { CAPABILITY_RULES, type CapabilityRule } from './rules.ts'

/** What a screen offers for a model. Names as the specification has them. */
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

/** What is in front of a model's name when somebody resells or hosts it: vendors, regions, folders. */
const PREFIX =
  /^(?:.*\/)?(?:(?:us|eu|apac|jp|au|global)\.)?(?:(?:anthropic|meta|mistral|cohere|deepseek|qwen|openai)\.)?/

/** Types whose upstreams take `top_k` for models that nobody has a rule for. */
const TOP_K_KINDS: ReadonlySet<number> = new Set([20, 30, 37, 39, 41, 44, 50])

/** The rule for a model, whoever hosts it; undefined for an unknown one. */
function ruleFor(model: string): CapabilityRule | undefined {
  const name = model.toLowerCase().replace(PREFIX, '')
  return CAPABILITY_RULES.find(({ models }) => models.test(name))
}

/** What a playground offers. An unknown model is offered everything but thinking and pictures; the relay leaves out what is not taken. */
export function capabilitiesOf(model: string, kind: number): Capabilities {
  const rule = ruleFor(model)
  const unknown = rule === undefined
  return {
    supportsTopP: unknown || rule.sampling === 'yes',
    supportsTopK: unknown ? TOP_K_KINDS.has(kind) : rule.topK === true,
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
