import { describe, expect, test } from 'vitest'
import { parseModelConfigs } from './model-configs.ts'
import { quoteForPicture } from './picture-price.ts'
import type { Quote } from './quote.ts'
import { rates } from './rates.ts'

const TODAY = Date.UTC(2026, 10, 21, 22)
/** 10^-9 quota per quota point: a ratio of 1. */
const ONE = 1_000_000_000n
const DOLLAR = 500_000n * ONE

function quote(config: object, { kind = 50, model = 'mine', at = TODAY } = {}): Quote {
  const configs = parseModelConfigs(JSON.stringify({ [model]: config }))
  if ('problem' in configs) throw new Error(configs.problem)
  const found = rates(kind, model, configs, at)
  if (found === 'missing') throw new Error('no price')
  return found
}

describe('prices of cached tokens', () => {
  test('are separate ratios', () => {
    const config = { ratio: 1, completion_ratio: 4, cached_input_ratio: 0.1, cache_write_5m_ratio: 1.25 }
    expect(quote(config).rates).toMatchObject({
      input: ONE,
      cachedInput: ONE / 10n,
      cacheWrite5m: (ONE * 5n) / 4n,
      cacheWrite1h: ONE,
      output: 4n * ONE,
    })
  })

  test('are the input price when 0, and free when negative, as in the family', () => {
    expect(quote({ ratio: 1, cached_input_ratio: 0, cache_write_1h_ratio: -1 }).rates).toMatchObject({
      cachedInput: ONE,
      cacheWrite1h: 0n,
    })
  })

  test('can be changed alone, and the list keeps the others', () => {
    const own = quote({ cached_input_ratio: 0.5 }, { kind: 1, model: 'gpt-4o' })
    expect(own).toMatchObject({ source: 'channel', rates: { input: 1_250_000_000n, cachedInput: ONE / 2n } })
  })
})

describe('tiers', () => {
  const config = {
    ratio: 1,
    completion_ratio: 2,
    cached_input_ratio: 0.5,
    tiers: [
      { input_token_threshold: 200, ratio: 3 },
      { input_token_threshold: 100, output_token_threshold: 50, completion_ratio: 5, ratio: 0 },
    ],
  }

  test('inherit what they do not set, in the order of their thresholds', () => {
    expect(quote(config).tiers).toStrictEqual([
      {
        fromInput: 100,
        fromOutput: 50,
        rates: { input: ONE, cachedInput: ONE / 2n, cacheWrite5m: ONE, cacheWrite1h: ONE, output: 5n * ONE },
      },
      {
        fromInput: 200,
        fromOutput: 0,
        rates: {
          input: 3n * ONE,
          cachedInput: (3n * ONE) / 2n,
          cacheWrite5m: 3n * ONE,
          cacheWrite1h: 3n * ONE,
          output: 6n * ONE,
        },
      },
    ])
  })

  test('replace those of the list', () => {
    const own = quote({ tiers: [{ input_token_threshold: 10, ratio: 9 }] }, { kind: 24, model: 'gemini-2.5-pro' })
    expect(own.tiers).toMatchObject([{ fromInput: 10, rates: { input: 9n * ONE } }])
  })
})

test('time windows change what they set, by the start of the request', () => {
  const config = {
    ratio: 1,
    completion_ratio: 4,
    time_windows: [
      {
        name: 'night',
        timezone: 'Asia/Shanghai',
        ranges: [{ start: '23:00', end: '07:00' }],
        overlay: { ratio: 0.5 },
      },
      { ranges: [{ start: '00:00', end: '23:59' }], date_to: '2020-01-01', overlay: { ratio: 9 } },
    ],
  }
  expect(quote(config, { at: Date.parse('2026-11-20T16:00:00Z') })).toMatchObject({
    rates: { input: ONE / 2n, output: 2n * ONE },
    source: 'channel;window:night',
  })
  expect(quote(config, { at: Date.parse('2026-11-20T04:00:00Z') })).toMatchObject({
    rates: { input: ONE, output: 4n * ONE },
    source: 'channel',
  })
})

describe('other units', () => {
  test('sound is a multiple of text, or priced by the second', () => {
    const audio = { prompt_ratio: 16, completion_ratio: 2, usd_per_second: 0.0001 }
    expect(quote({ ratio: 1, audio }).rates.units).toEqual({
      audio_input: 16n * ONE,
      audio_output: 32n * ONE,
      audio_ms: DOLLAR / 10_000n / 1_000n,
    })
    const bySecond = { prompt_ratio: 2, prompt_tokens_per_second: 10 }
    expect(quote({ ratio: 1, audio: bySecond }).rates.units).toMatchObject({ audio_ms: (2n * ONE * 10n) / 1_000n })
  })

  test('a list price of sound keeps its proportion to the text', () => {
    const own = quote({ ratio: 4 }, { kind: 1, model: 'gpt-realtime' })
    expect(own.rates.units).toMatchObject({ audio_input: 32n * ONE, audio_output: 64n * ONE })
  })

  test('pictures, films, calls and reasoning', () => {
    const config = {
      ratio: 0,
      reasoning_ratio: 3,
      image: { price_per_image_usd: 0.04, prompt_ratio: 2 },
      video: { per_second_usd: 0.1 },
      per_call: { usd_per_thousand_calls: 2 },
    }
    expect(quote(config).rates.units).toEqual({
      reasoning_output: 0n,
      image: (DOLLAR * 4n) / 100n,
      image_input: 0n,
      video_ms: DOLLAR / 10_000n,
      call: (DOLLAR * 2n) / 1_000n,
    })
    expect(quote({ ratio: 1, reasoning_ratio: 3 }).rates.units).toEqual({ reasoning_output: 3n * ONE })
  })

  test('a model without a list price needs no ratio when something else is its price', () => {
    expect(quote({ per_call: { usd_per_thousand_calls: 2 } }).rates).toMatchObject({ input: 0n, output: 0n })
    const embedding = { text_token_ratio: 0.1, image_token_ratio: 0.3, usd_per_document_page: 0.001 }
    expect(quote({ embedding }).rates).toMatchObject({
      input: ONE / 10n,
      units: { image_input: (ONE * 3n) / 10n, page: DOLLAR / 1_000n },
    })
  })

  test('a picture costs more by its size and quality', () => {
    const image = {
      price_per_image_usd: 0.04,
      default_size: '1024x1024',
      default_quality: 'standard',
      size_multipliers: { '1792x1024': 2 },
      quality_multipliers: { HD: 1.5 },
      quality_size_multipliers: { hd: { '512x512': 0.25 } },
    }
    const priced = quote({ image })
    const cost = (size: string, quality: string): bigint | undefined =>
      quoteForPicture(priced, size, quality).rates.units?.image
    const base = (DOLLAR * 4n) / 100n
    expect(cost('', '')).toBe(base)
    expect(cost('auto', 'auto')).toBe(base)
    expect(cost('1792x1024', 'standard')).toBe(2n * base)
    expect(cost('1792x1024', 'hd')).toBe(3n * base)
    expect(cost('512x512', 'HD')).toBe(base / 4n)
    expect(cost('9x9', 'odd')).toBe(base)
    expect(cost('1792*1024', 'hd')).toBe(3n * base)
    expect(cost('01792X01024', 'standard')).toBe(2n * base)
  })

  test('the list has multiples too', () => {
    const listed = quote({ max_tokens: 1 }, { kind: 1, model: 'dall-e-3' })
    expect(quoteForPicture(listed, '1024x1792', 'hd').rates.units?.image).toBe((DOLLAR * 12n) / 100n)
  })
})

test.each([
  [{ tiers: 1 }, 'Invalid tiers for model "m": must be a list of at most 64 JSON objects'],
  [{ tiers: [{ ratio: -1 }] }, 'Invalid tiers[0].ratio for model "m": must be a number from 0 to 1000000'],
  [
    { tiers: [{ input_token_threshold: 1.5 }] },
    'Invalid tiers[0].input_token_threshold for model "m": must be a whole number from 0 to 2147483647',
  ],
  [{ audio: [] }, 'Invalid audio for model "m": must be a JSON object'],
  [
    { image: { size_multipliers: { big: 'x' } } },
    'Invalid image.size_multipliers.big for model "m": must be a number from 0 to 1000000',
  ],
  [{ time_windows: [{}] }, 'Invalid time_windows[0].ranges for model "m": must contain at least one range'],
  [
    { time_windows: [{ ranges: [{ start: '25:00', end: '01:00' }], overlay: { ratio: 1 } }] },
    'Invalid time_windows[0].ranges[0].start for model "m": must be a time like 09:30',
  ],
  [
    { time_windows: [{ ranges: [{ start: '01:00', end: '02:00' }] }] },
    'Invalid time_windows[0].overlay for model "m": must set at least one price',
  ],
  [
    { time_windows: [{ timezone: 'Nowhere', ranges: [{ start: '01:00', end: '02:00' }], overlay: { ratio: 1 } }] },
    'Invalid time_windows[0].timezone for model "m": must be a time zone name',
  ],
])('%j is a problem', (config, problem) => {
  expect(parseModelConfigs(JSON.stringify({ m: config }))).toStrictEqual({ problem })
})
