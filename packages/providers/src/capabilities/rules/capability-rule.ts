import type { Effort, ThinkingStyle } from '@sluice/dialects/canon/codec'

export interface CapabilityRule {
  /** Matched against the lower-case bare name; the first matching rule decides. */
  readonly models: RegExp
  /** yes → always · off → only while the model does not think · no → never */
  readonly sampling: 'yes' | 'off' | 'no'
  readonly topK?: boolean
  readonly penalties?: 'both' | 'presence' | 'off'
  /** False if `logit_bias` is refused. */
  readonly bias?: false
  readonly stop?: boolean
  readonly efforts?: readonly Effort[]
  readonly thinking?: ThinkingStyle
  readonly thinksUnasked?: true
  /** Set if `disabled` does not switch thinking off: it cannot be switched off at all, or only by this word. */
  readonly thinkingOff?: 'refused' | 'between_tools'
  /** Set if a function call cannot be required: never, or not while the model thinks. */
  readonly forcedCalls?: 'refused' | 'unless-thinking'
  /** False if a conversation must not end with an answer to be continued. */
  readonly prefill?: false
  /** False if answers cannot be constrained by a JSON schema. */
  readonly schemas?: false
  readonly vision?: boolean
  /** False if answer length cannot be limited. */
  readonly maxTokens?: boolean
  /** In addition to the sources of all the vendor's rules. */
  readonly source?: string
}

export interface VendorRules {
  readonly vendor: string
  readonly sources: string
  readonly rules: readonly CapabilityRule[]
}

export const LOW_TO_HIGH = ['low', 'medium', 'high'] as const
export const LOW_TO_XHIGH = [...LOW_TO_HIGH, 'xhigh'] as const
export const LOW_TO_MAX = [...LOW_TO_XHIGH, 'max'] as const
export const PLAIN = { sampling: 'yes', penalties: 'both', stop: true } as const
