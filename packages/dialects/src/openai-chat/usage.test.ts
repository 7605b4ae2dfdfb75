import { describe, expect, test } from 'vitest'
import { usageOfReply } from '../usage/usage-report.ts'
import { chatUsage, readUsage } from './usage.ts'

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
    [
      'OpenAI with sound in both directions',
      {
        prompt_tokens: 64,
        completion_tokens: 40,
        prompt_tokens_details: { audio_tokens: 44, cached_tokens: 0, text_tokens: 20 },
        completion_tokens_details: { audio_tokens: 30, text_tokens: 10 },
      },
      { input: 20, output: 10, units: { audio_input: 44, audio_output: 30 } },
    ],
    [
      'Mistral, whose prompt leaves sound out',
      {
        prompt_tokens: 6,
        completion_tokens: 2,
        total_tokens: 383,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 375 },
      },
      { input: 6, output: 2, units: { audio_input: 375 } },
    ],
    [
      'DashScope with pictures and film',
      {
        prompt_tokens: 1_000,
        completion_tokens: 3,
        prompt_tokens_details: { text_tokens: 50, image_tokens: 350, video_tokens: 600 },
      },
      { input: 50, output: 3, units: { image_input: 350, video_input: 600 } },
    ],
    [
      'OpenRouter with a picture made and a search',
      {
        prompt_tokens: 3,
        completion_tokens: 1_298,
        completion_tokens_details: { image_tokens: 1_290 },
        server_tool_use_details: { web_search_requests: 1 },
      },
      { input: 3, output: 8, units: { image_output: 1_290, search: 1 } },
    ],
    [
      'Perplexity’s research, which its bill lists beside the answer',
      {
        prompt_tokens: 230,
        completion_tokens: 13_498,
        total_tokens: 13_728,
        citation_tokens: 20_470,
        num_search_queries: 50,
        reasoning_tokens: 145_885,
        cost: { citation_tokens_cost: 0.04094, reasoning_tokens_cost: 0.43766, search_queries_cost: 0.25 },
      },
      { input: 20_700, output: 13_498, units: { reasoning_output: 145_885, search: 50 } },
    ],
    [
      'the same numbers, for which no bill asks',
      {
        prompt_tokens: 10,
        completion_tokens: 90,
        citation_tokens: 20,
        num_search_queries: 1,
        reasoning_tokens: 40,
        cost: { request_cost: 0.005, citation_tokens_cost: null },
      },
      { input: 10, output: 90 },
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
])('%j is not a usage, so the tokens are counted here', (usage) => {
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

test('an object of zeros does not replace a usage; one with only a cost is kept', () => {
  expect(chatUsage.find({ usage: { prompt_tokens: 0, completion_tokens: 0 } })).toBeUndefined()
  const usage = { cost: 0.5 }
  expect(usageOfReply(chatUsage, { usage })).toStrictEqual({
    counts: undefined,
    reportedNanoUsd: 500_000_000,
    own: usage,
  })
})

test('usage is found next to the choices, in the first choice, and where Groq puts it', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 }
  const found = { ...counts, input: 3, output: 2 }
  for (const chunk of [
    { choices: [], usage },
    { choices: [{ delta: {}, usage }] },
    { choices: [{ delta: {} }], usage: null, x_groq: { id: 'r', usage } },
  ]) {
    expect(usageOfReply(chatUsage, chunk)?.counts).toStrictEqual(found)
  }
})
