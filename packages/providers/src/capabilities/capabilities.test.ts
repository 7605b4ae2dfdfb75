import { describe, expect, it } from 'vitest'
import { capabilitiesOf, traitsOf } from './capabilities.ts'
import { CAPABILITY_RULES } from './rules.ts'

const OPENAI = 1

it.each([
  ['gpt-3.5-turbo', { sampling: 'all', thinking: 'none', stop: true }],
  ['gpt-4o-search-preview', { sampling: 'none' }],
  ['o1-2024-12-17', { sampling: 'none', stop: true, efforts: ['low', 'medium', 'high'] }],
  ['o4-mini', { stop: false, thinking: 'effort' }],
  ['gpt-5', { efforts: ['minimal', 'low', 'medium', 'high'] }],
  ['gpt-5-2025-08-07', { efforts: ['minimal', 'low', 'medium', 'high'] }],
  ['gpt-5-chat-latest', { sampling: 'all' }],
  ['gpt-5.2-pro', { efforts: ['medium', 'high', 'xhigh'] }],
  ['gpt-5.1', { sampling: 'unless-thinking', efforts: ['none', 'low', 'medium', 'high'] }],
  ['gpt-6-luna', { efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] }],
  ['gpt-6.1-sol', { sampling: 'none', efforts: ['low', 'medium', 'high', 'xhigh', 'max'] }],
  ['claude-3-5-sonnet-20240620', { sampling: 'all', topK: true, thinking: 'none' }],
  ['claude-sonnet-4-5-20250929', { thinking: 'budget', efforts: undefined }],
  ['claude-opus-4-20250514', { thinking: 'budget' }],
  ['claude-opus-4-5', { thinking: 'budget', efforts: ['low', 'medium', 'high'] }],
  ['claude-sonnet-4-6', { thinking: 'adaptive', sampling: 'all' }],
  ['claude-opus-4-7', { thinking: 'adaptive', sampling: 'none' }],
  ['claude-haiku-5-5', { thinking: 'adaptive', sampling: 'none' }],
  ['gemini-2.5-pro', { thinking: 'budget', sampling: 'all' }],
  ['gemini-3.8-flash', { thinking: 'level', sampling: 'none', efforts: ['low', 'medium', 'high'] }],
  ['gemini-3-flash-preview', { thinking: 'level', sampling: 'all' }],
  ['deepseek-v4-pro', { thinking: 'switch', sampling: 'unless-thinking' }],
  ['kimi-k3', { sampling: 'none', efforts: ['low', 'high', 'max'] }],
  ['grok-4.7', { stop: false, penalties: false }],
])('%s', (model, traits) => {
  expect(traitsOf(model)).toMatchObject(traits)
})

it.each([
  'openai/gpt-5',
  'models/gemini-2.5-pro',
  'us.anthropic.claude-opus-4-6-v1',
  'anthropic.claude-3-7-sonnet-20250219-v1:0',
  'accounts/fireworks/models/llama-v4',
  '@cf/meta/llama-4-scout',
  'claude-sonnet-4-5@20250929',
])('recognises %s whoever hosts it', (model) => {
  expect(traitsOf(model)).not.toEqual({})
})

it('sends an unknown model what the client said', () => {
  expect(traitsOf('home-made')).toEqual({})
})

describe('what a playground offers', () => {
  it('is every common option for an unknown model', () => {
    expect(capabilitiesOf('home-made', OPENAI)).toEqual({
      supportsTopP: true,
      supportsTopK: false,
      supportsMaxCompletionTokens: true,
      supportsFrequencyPenalty: true,
      supportsPresencePenalty: true,
      supportsStop: true,
      supportsReasoningEffort: false,
      supportsThinking: false,
      supportsVision: false,
    })
  })

  it('has top_k where the type of the channel is known to take it', () => {
    expect(capabilitiesOf('home-made', 30).supportsTopK).toBe(true)
  })

  it('omits sampling for models that lock it', () => {
    expect(capabilitiesOf('gpt-5.1', OPENAI)).toMatchObject({ supportsTopP: false, supportsReasoningEffort: true })
  })

  it('has a thinking budget where a model takes one', () => {
    expect(capabilitiesOf('claude-sonnet-4-5', 14)).toMatchObject({ supportsThinking: true, supportsVision: true })
    expect(capabilitiesOf('claude-opus-5', 14)).toMatchObject({ supportsThinking: false })
  })

  it('has next to nothing for a translator', () => {
    expect(Object.values(capabilitiesOf('deepl-de', 38))).not.toContain(true)
  })
})

it('no rule is hidden by an earlier one with the same pattern', () => {
  const patterns = CAPABILITY_RULES.map(({ models }) => models.source)
  expect(new Set(patterns).size).toBe(patterns.length)
})
