import { expect, test } from 'vitest'
import { usageOfReply } from '../usage/usage-report.ts'
import { embeddingsUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

test.each([
  ['OpenAI', { prompt_tokens: 8, total_tokens: 8 }, { input: 8 }],
  ['Voyage, which has only a total', { total_tokens: 10 }, { input: 10 }],
  [
    'Volcano’s pictures beside text',
    { prompt_tokens: 528, prompt_tokens_details: { image_tokens: 497, text_tokens: 31 }, total_tokens: 528 },
    { input: 31, units: { image_input: 497 } },
  ],
  [
    'DashScope’s pictures beside text',
    { input_tokens: 900, image_tokens: 896, image_count: 1 },
    { input: 4, units: { image_input: 896 } },
  ],
  [
    'more picture tokens than tokens',
    { prompt_tokens: 10, prompt_tokens_details: { image_tokens: 99 } },
    { units: { image_input: 10 } },
  ],
])('%s', (_, usage, expected) => {
  const report = usageOfReply(embeddingsUsage, { data: [], usage })
  expect(report?.counts).toStrictEqual({ ...none, ...expected })
  expect(report?.own).toBe(usage)
})

test('a reply without usage, or with an empty one, must be counted here', () => {
  expect(usageOfReply(embeddingsUsage, { data: [] })).toBeUndefined()
  expect(usageOfReply(embeddingsUsage, { usage: {} })?.counts).toBeUndefined()
  expect(usageOfReply(embeddingsUsage, [1])).toBeUndefined()
})

test('the cost that a provider states is reported with the tokens', () => {
  const usage = { prompt_tokens: 5, total_tokens: 5, cost: 1e-7 }
  expect(usageOfReply(embeddingsUsage, { usage })?.reportedNanoUsd).toBe(100)
})
