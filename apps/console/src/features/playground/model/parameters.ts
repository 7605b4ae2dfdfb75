import type { Capabilities } from '@sluice/contract/price-list'
import * as v from 'valibot'

/**
 * Starts every conversation until the user writes another. It is charged with every request, so each line has to earn its place.
 */
const DEFAULT_SYSTEM_MESSAGE = `You are a knowledgeable, careful assistant.

## Answers
- Answer in the language of the question, and begin with the answer itself.
- Give a short answer to a short question and a thorough answer to a hard question.

## Format
- Write Markdown, with headings, lists and tables where they help the reader.
- Put code into fenced blocks that name the language, in complete pieces that run.
- Write formulas in LaTeX between dollar signs, names and commands in \`code style\`.

## Quality
- Tell what you know from what you suppose, and say when you do not know.
- Never invent sources, quotations, figures or functions of a library.
- Work through calculations step by step, and correct mistakes openly.

## Sensitive subjects
- On health, law, money and personal crises, give general information, name its limits and point to qualified help.
- Refuse to help with what would harm people, in one sentence, and offer a safe alternative.
- Present contested questions fairly. Do not repeat secrets such as passwords or keys.`

export const EFFORTS = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]

interface Range {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Ranges of the sliders, from the specification. */
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

export const DEFAULT_PARAMETERS: Parameters = {
  temperature: 0.7,
  maxTokens: 4_096,
  topP: 1,
  topK: 40,
  frequencyPenalty: 0,
  presencePenalty: 0,
  maxCompletionTokens: 4_096,
  stopSequences: '',
  reasoningEffort: 'high',
  thinkingEnabled: false,
  thinkingBudgetTokens: 10_000,
  systemMessage: DEFAULT_SYSTEM_MESSAGE,
  showReasoningContent: true,
  focusModeEnabled: true,
}

export const NO_CAPABILITIES: Capabilities = {
  supportsTopP: false,
  supportsTopK: false,
  supportsMaxCompletionTokens: false,
  supportsFrequencyPenalty: false,
  supportsPresencePenalty: false,
  supportsStop: false,
  supportsReasoningEffort: false,
  supportsThinking: false,
  supportsVision: false,
}

const CAPABILITY_NAMES = [
  'supportsTopP',
  'supportsTopK',
  'supportsMaxCompletionTokens',
  'supportsFrequencyPenalty',
  'supportsPresencePenalty',
  'supportsStop',
  'supportsReasoningEffort',
  'supportsThinking',
  'supportsVision',
] as const satisfies readonly (keyof Capabilities)[]

export function capabilitiesWhere(holds: (name: keyof Capabilities) => boolean): Capabilities {
  const entries = CAPABILITY_NAMES.map((name) => [name, holds(name)] as const)
  return { ...NO_CAPABILITIES, ...Object.fromEntries(entries) }
}

/** Parameters that only models with the capability understand. */
const NEEDING: Readonly<Partial<Record<keyof Capabilities, readonly (keyof Parameters)[]>>> = {
  supportsTopP: ['topP'],
  supportsTopK: ['topK'],
  supportsMaxCompletionTokens: ['maxCompletionTokens'],
  supportsFrequencyPenalty: ['frequencyPenalty'],
  supportsPresencePenalty: ['presencePenalty'],
  supportsStop: ['stopSequences'],
  supportsReasoningEffort: ['reasoningEffort'],
  supportsThinking: ['thinkingEnabled', 'thinkingBudgetTokens'],
}

/** A capability counts if at least one of the models has it. */
export function joinedCapabilities(all: readonly Capabilities[]): Capabilities {
  return capabilitiesWhere((name) => all.some((each) => each[name]))
}

/** Sets everything that the model does not accept to its default. */
export function fittedParameters(parameters: Parameters, capabilities: Capabilities): Parameters {
  const lacking = CAPABILITY_NAMES.flatMap((name) => (capabilities[name] ? [] : (NEEDING[name] ?? [])))
  return { ...parameters, ...Object.fromEntries(lacking.map((name) => [name, DEFAULT_PARAMETERS[name]])) }
}

export function steppedValue(name: RangedParameter, value: number): number {
  const { min, max, step } = RANGES[name]
  if (value >= max) return max
  const near = min + Math.round((Math.max(min, value) - min) / step) * step
  // 0.1 has no exact double: three steps of 0.1 would read 0.30000000000000004.
  return Number(near.toFixed(2))
}
