import type { DisplayedModel } from '@sluice/contract/price-list'
import * as v from 'valibot'

/** What a model takes, as the gateway tells. */
export type Capabilities = DisplayedModel['capabilities']

export const EFFORTS = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]

interface Range {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** What the sliders offer; the specification's numbers. */
export const RANGES = {
  temperature: { min: 0, max: 2, step: 0.1 },
  maxTokens: { min: 1, max: 128_000, step: 1 },
  topP: { min: 0, max: 1, step: 0.05 },
  topK: { min: 1, max: 100, step: 1 },
  frequencyPenalty: { min: -2, max: 2, step: 0.1 },
  presencePenalty: { min: -2, max: 2, step: 0.1 },
  maxCompletionTokens: { min: 1, max: 8_000, step: 1 },
  thinkingBudgetTokens: { min: 1_024, max: 20_000, step: 256 },
} as const satisfies Readonly<Record<string, Range>>
export type RangedParameter = keyof typeof RANGES

const ranged = (name: RangedParameter) => v.pipe(v.number(), v.minValue(RANGES[name].min), v.maxValue(RANGES[name].max))

/** Everything that is set beside a conversation, as it is kept in the browser. */
export const savedParameters = v.object({
  temperature: ranged('temperature'),
  maxTokens: ranged('maxTokens'),
  topP: ranged('topP'),
  topK: ranged('topK'),
  frequencyPenalty: ranged('frequencyPenalty'),
  presencePenalty: ranged('presencePenalty'),
  maxCompletionTokens: ranged('maxCompletionTokens'),
  /** Comma-separated, as typed. */
  stopSequences: v.string(),
  reasoningEffort: v.picklist(EFFORTS),
  thinkingEnabled: v.boolean(),
  thinkingBudgetTokens: ranged('thinkingBudgetTokens'),
  systemMessage: v.string(),
  showReasoningContent: v.boolean(),
  focusModeEnabled: v.boolean(),
})
export type Parameters = v.InferOutput<typeof savedParameters>
