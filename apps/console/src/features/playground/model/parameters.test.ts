import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  capabilitiesWhere,
  DEFAULT_PARAMETERS,
  EFFORTS,
  fittedParameters,
  joinedCapabilities,
  NO_CAPABILITIES,
  type Parameters,
  RANGES,
  savedParameters,
  steppedValue,
} from './parameters.ts'

const CHANGED: Parameters = {
  temperature: 1.1,
  maxTokens: 100,
  topP: 0.5,
  topK: 7,
  frequencyPenalty: 1,
  presencePenalty: -1,
  maxCompletionTokens: 200,
  stopSequences: 'END',
  reasoningEffort: 'low',
  thinkingEnabled: true,
  thinkingBudgetTokens: 2_048,
  systemMessage: 'Be brief.',
  showReasoningContent: false,
  focusModeEnabled: false,
}

describe('parameters', () => {
  it('are the fourteen of the specification, with its defaults', { tags: ['C3.29', 'C9.9'] }, () => {
    const { systemMessage, ...defaults } = DEFAULT_PARAMETERS
    expect(defaults).toEqual({
      temperature: 0.7,
      maxTokens: 4096,
      topP: 1,
      topK: 40,
      frequencyPenalty: 0,
      presencePenalty: 0,
      maxCompletionTokens: 4096,
      stopSequences: '',
      reasoningEffort: 'high',
      thinkingEnabled: false,
      thinkingBudgetTokens: 10_000,
      showReasoningContent: true,
      focusModeEnabled: true,
    })
    expect(systemMessage).not.toBe('')
    expect(v.parse(savedParameters, DEFAULT_PARAMETERS)).toEqual(DEFAULT_PARAMETERS)
  })

  it('begin with a long message about Markdown, sensitive subjects and quality', { tags: 'C9.16' }, () => {
    const { systemMessage } = DEFAULT_PARAMETERS
    expect(systemMessage.length).toBeGreaterThan(1_000)
    for (const subject of ['Markdown', 'Sensitive', 'Quality']) expect(systemMessage).toContain(subject)
  })

  it('range as the specification says', { tags: 'C9.8' }, () => {
    const bounds = Object.entries(RANGES).map(([name, { min, max }]) => [name, min, max])
    expect(bounds).toEqual([
      ['temperature', 0, 2],
      ['maxTokens', 1, 128_000],
      ['topP', 0, 1],
      ['topK', 1, 100],
      ['frequencyPenalty', -2, 2],
      ['presencePenalty', -2, 2],
      ['maxCompletionTokens', 1, 8_000],
      ['thinkingBudgetTokens', 1_024, 20_000],
    ])
    expect(RANGES.temperature.step).toBe(0.1)
    expect(RANGES.thinkingBudgetTokens.step).toBe(256)
    expect(EFFORTS).toEqual(['none', 'low', 'medium', 'high'])
  })

  it.each([
    ['temperature', 0.30000000000000004, 0.3],
    ['temperature', 9, 2],
    ['temperature', -1, 0],
    ['topP', 0.97, 0.95],
    ['maxTokens', 12.4, 12],
    ['presencePenalty', -0.26, -0.3],
    ['thinkingBudgetTokens', 1_100, 1_024],
    ['thinkingBudgetTokens', 1_200, 1_280],
    ['thinkingBudgetTokens', 20_000, 20_000],
  ] as const)('%s of %d becomes %d', (name, value, near) => {
    expect(steppedValue(name, value)).toBe(near)
  })

  it(
    'that a model does not accept go back to their defaults, those that every model accepts stay',
    { tags: 'C4.24' },
    () => {
      const { temperature, maxTokens, systemMessage, showReasoningContent, focusModeEnabled } = CHANGED
      expect(fittedParameters(CHANGED, NO_CAPABILITIES)).toEqual({
        ...DEFAULT_PARAMETERS,
        temperature,
        maxTokens,
        systemMessage,
        showReasoningContent,
        focusModeEnabled,
      })
    },
  )

  it('stay as they are for a model that accepts everything', () => {
    const everything = capabilitiesWhere(() => true)
    expect(fittedParameters(CHANGED, everything)).toEqual(CHANGED)
  })

  it('go back one by one', { tags: 'C4.24' }, () => {
    const all = capabilitiesWhere((name) => name !== 'supportsThinking')
    expect(fittedParameters(CHANGED, all)).toEqual({
      ...CHANGED,
      thinkingEnabled: false,
      thinkingBudgetTokens: 10_000,
    })
  })
})

describe('two models', () => {
  it('are offered what at least one of them accepts', () => {
    const one = capabilitiesWhere((name) => name === 'supportsTopP')
    const other = capabilitiesWhere((name) => name === 'supportsThinking')
    expect(joinedCapabilities([one, other])).toEqual({
      ...NO_CAPABILITIES,
      supportsTopP: true,
      supportsThinking: true,
    })
  })
})
