import { expect, test } from 'vitest'
import { nanoUsdOf } from './reported-cost.ts'

test.each([
  ['xAI’s ticks', { cost_in_usd_ticks: 158_500 }, 15_850],
  ['a tenth of a nano-dollar more', { cost_in_usd_ticks: 158_501 }, 15_851],
  ['OpenRouter’s credits', { cost: 0.0133176 }, 13_317_600],
  ['a sum of floating-point numbers', { cost: 0.1 + 0.2 }, 300_000_000],
  [
    'a user’s own key, whose vendor is paid too',
    { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
    21_000_000,
  ],
  [
    'OpenRouter’s own model, of which the details tell it again',
    { cost: 0.02, is_byok: false, cost_details: { upstream_inference_cost: 0.02 } },
    20_000_000,
  ],
  ['Perplexity’s bill', { cost: { input_tokens_cost: 0.00001, total_cost: 0.00507 } }, 5_070_000],
  ['DeepInfra’s estimate', { estimated_cost: 0.0000268 }, 26_800],
  ['nothing', { prompt_tokens: 3 }, undefined],
  ['a free call', { cost: 0 }, 0],
  ['less than nothing', { cost: -1 }, undefined],
  ['more than a call can cost', { cost: 1_000_000 }, undefined],
  [
    'two halves that together are more',
    { cost: 700, is_byok: true, cost_details: { upstream_inference_cost: 700 } },
    undefined,
  ],
  ['no number', { cost: '0.1' }, undefined],
])('%s', (_, usage, expected) => {
  expect(nanoUsdOf(usage)).toBe(expected)
})
