import type { Effort, ThinkingStyle } from '@sluice/dialects/canon/codec'

/** What models of one family accept. */
export interface CapabilityRule {
  /** Matched against the bare name in lower case; the first rule that matches decides. */
  readonly models: RegExp
  /** yes → always · off → only while the model does not think · no → never */
  readonly sampling: 'yes' | 'off' | 'no'
  readonly topK?: boolean
  readonly penalties?: 'both' | 'presence' | 'off'
  /** False where `logit_bias` is refused. */
  readonly bias?: false
  readonly stop?: boolean
  readonly efforts?: readonly Effort[]
  readonly thinking?: ThinkingStyle
  /** It thinks when nobody asks for it. */
  readonly thinksUnasked?: true
  /** Where thinking is not switched off by `disabled`: not at all, or by this word. */
  readonly thinkingOff?: 'refused' | 'between_tools'
  /** Where a call of a function cannot be required: never, or not while the model thinks. */
  readonly forcedCalls?: 'refused' | 'unless-thinking'
  /** False where a conversation must not end with an answer to be continued. */
  readonly prefill?: false
  /** False where answers cannot be bound to a JSON schema. */
  readonly schemas?: false
  readonly vision?: boolean
  /** False where the length of an answer cannot be limited. */
  readonly maxTokens?: boolean
  /** Where the vendor says so, besides the sources of all its rules. */
  readonly source?: string
}

/** The rules of one vendor, and where they were read. */
export interface VendorRules {
  readonly vendor: string
  readonly sources: string
  readonly rules: readonly CapabilityRule[]
}

export const LOW_TO_HIGH = ['low', 'medium', 'high'] as const
export const LOW_TO_XHIGH = [...LOW_TO_HIGH, 'xhigh'] as const
export const LOW_TO_MAX = [...LOW_TO_XHIGH, 'max'] as const
export const PLAIN = { sampling: 'yes', penalties: 'both', stop: true } as const
