import type { ModelTraits } from '@sluice/dialects/canon/codec'
import { kindOf } from '../kinds/all.ts'
import { bareName } from './bare-name.ts'
import { CAPABILITY_RULES } from './rules.ts'
import type { CapabilityRule } from './rules/capability-rule.ts'

/** For user interfaces. Names as in the specification. */
export interface Capabilities {
  readonly supportsTopP: boolean
  readonly supportsTopK: boolean
  readonly supportsMaxCompletionTokens: boolean
  readonly supportsFrequencyPenalty: boolean
  readonly supportsPresencePenalty: boolean
  readonly supportsStop: boolean
  readonly supportsReasoningEffort: boolean
  readonly supportsThinking: boolean
  readonly supportsVision: boolean
}

function ruleFor(model: string): CapabilityRule | undefined {
  const name = bareName(model)
  return CAPABILITY_RULES.find(({ models }) => models.test(name))
}

/** For playgrounds. Unknown models get everything except thinking and pictures; the relay omits what a model does not accept. */
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

/** What the relay sends to a model. Unknown models get what the client sent. */
export function traitsOf(model: string): ModelTraits {
  const rule = ruleFor(model)
  if (rule === undefined) return {}
  return {
    sampling: { yes: 'all', off: 'unless-thinking', no: 'none' }[rule.sampling] as ModelTraits['sampling'],
    topK: rule.topK === true,
    penalties: rule.penalties !== undefined,
    bias: rule.bias,
    stop: rule.stop === true,
    thinking: rule.thinking ?? 'none',
    thinksUnasked: rule.thinksUnasked,
    thinkingOff: rule.thinkingOff,
    efforts: rule.efforts,
    forcedCalls: rule.forcedCalls,
    prefill: rule.prefill,
    schemas: rule.schemas,
  }
}
