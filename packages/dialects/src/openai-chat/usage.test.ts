import { describe, expect, test } from 'vitest'
import { readUsage, usageOf } from './usage.ts'

const counts = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

describe('vendors’ usage objects', () => {
  test.each([
    [
      'OpenAI with cache and reasoning',
      {
        prompt_tokens: 2_006,
        completion_tokens: 300,
        total_tokens: 2_306,
        prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 192, accepted_prediction_tokens: 0 },
      },
      { input: 86, cachedInput: 1_920, output: 300, reasoning: 192 },
    ],
    [
      'OpenAI with cache writes',
      {
        prompt_tokens: 2_000,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 500, cache_write_tokens: 1_200 },
      },
      { input: 300, cachedInput: 500, cacheWrite5m: 1_200, output: 5 },
    ],
    [
      'DeepSeek',
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 107,
        prompt_cache_hit_tokens: 64,
        prompt_cache_miss_tokens: 36,
      },
      { input: 36, cachedInput: 64, output: 7 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 50, completion_tokens: 5, total_tokens: 55, cached_tokens: 20 },
      { input: 30, cachedInput: 20, output: 5 },
    ],
    [
      'DashScope with an explicit cache',
      {
        prompt_tokens: 3_000,
        completion_tokens: 9,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 2_048 },
      },
      { input: 952, cacheWrite5m: 2_048, output: 9 },
    ],
    [
      'a cache write split by lifetime',
      {
        prompt_tokens: 3_000,
        completion_tokens: 9,
        prompt_tokens_details: {
          cache_creation_input_tokens: 1_500,
          cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1_000 },
        },
      },
      { input: 1_500, cacheWrite5m: 500, cacheWrite1h: 1_000, output: 9 },
    ],
    [
      'xAI, whose completion leaves reasoning out',
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { input: 10, output: 25, reasoning: 20 },
    ],
    [
      'reasoning that is part of the completion',
      {
        prompt_tokens: 10,
        completion_tokens: 25,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { input: 10, output: 25, reasoning: 20 },
    ],
    ['only prompt and total', { prompt_tokens: 10, total_tokens: 14 }, { input: 10, output: 4 }],
  ])('%s', (_, usage, expected) => {
    expect(readUsage(usage)).toStrictEqual({ ...counts, ...expected })
  })
})

test.each([
  [undefined],
  [null],
  [{}],
  [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  [{ prompt_tokens: 10 }],
  [{ prompt_tokens: -3, completion_tokens: 4 }],
  [{ prompt_tokens: 2 ** 40, completion_tokens: 4 }],
  [{ total_tokens: 12 }],
])('%j is no usage, so the tokens are counted here', (usage) => {
  expect(readUsage(usage)).toBeUndefined()
})

test('a vendor that reports more cached tokens than tokens is held to its total', () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 1,
    prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 4 },
  }
  expect(readUsage(usage)).toStrictEqual({ ...counts, cachedInput: 10, output: 1 })
})

test('usage is found beside the choices, in the first choice, and where Groq puts it', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 }
  const found = { ...counts, input: 3, output: 2 }
  expect(usageOf({ choices: [], usage })).toStrictEqual(found)
  expect(usageOf({ choices: [{ delta: {}, usage }] })).toStrictEqual(found)
  expect(usageOf({ choices: [{ delta: {} }], usage: null, x_groq: { id: 'r', usage } })).toStrictEqual(found)
})
