import type { TokenCounts } from '@sluice/dialects/token-counts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeable, uncharged } from './chargeable.ts'
import { dearestRates, pricedUsage, type Quote, type Rates } from './quote.ts'

const RATES: Rates = { input: 10n, cachedInput: 1n, cacheWrite5m: 12n, cacheWrite1h: 20n, output: 50n }
const quote = (more: Partial<Quote> = {}): Quote => ({
  rates: RATES,
  tiers: [],
  maxOutput: undefined,
  context: undefined,
  source: 'book:1',
  ...more,
})
const usage = (more: Partial<TokenCounts> = {}): TokenCounts => ({
  input: 100,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 40,
  reasoning: 30,
  ...more,
})
/** Sum over all classes, as the ledger adds them up; a class without a rate is an error there. */
function cost(counts: ReturnType<typeof pricedUsage>['counts'], { units = {}, ...rates }: Rates): bigint {
  let total = 0n
  for (const name of ['input', 'cachedInput', 'cacheWrite5m', 'cacheWrite1h', 'output'] as const) {
    total += BigInt(counts[name]) * rates[name]
  }
  for (const [name, count] of Object.entries(counts.units ?? {})) {
    const rate = units[name as keyof typeof units]
    if (rate === undefined) throw new Error(`no price for ${name}`)
    total += BigInt(count) * rate
  }
  return total
}

describe('what is counted moves to a class that has a price', () => {
  test('plain usage passes unchanged', () => {
    const plain = usage()
    expect(chargeable(plain, RATES)).toBe(plain)
  })

  test('sound and pictures cost what text costs unless they have a price', () => {
    const units = { audio_input: 5, cached_audio_input: 7, image_output: 3, video_input: 2, image: 1, audio_ms: 9 }
    expect(chargeable(usage({ units }), RATES)).toStrictEqual(usage({ input: 107, cachedInput: 7, output: 43 }))
  })

  test('a class with a price keeps it, and lends it to its cached reads', () => {
    const rates = { ...RATES, units: { audio_input: 60n, image: 40_000n } }
    const units = { audio_input: 5, cached_audio_input: 7, image: 2, call: 1 }
    expect(chargeable(usage({ units }), rates)).toStrictEqual(usage({ units: { audio_input: 12, image: 2 } }))
  })

  test('reasoning leaves the output when it is priced separately', () => {
    const rates = { ...RATES, units: { reasoning_output: 30n } }
    expect(chargeable(usage(), rates)).toStrictEqual(usage({ output: 10, units: { reasoning_output: 30 } }))
    expect(chargeable(usage({ units: { reasoning_output: 8 }, reasoning: 0 }), RATES).output).toBe(48)
  })

  test('searches and calls without a price are reported, because nothing else is charged for them', () => {
    const used = usage({ units: { search: 2, tool_call: 1, image: 3, page: 0 } })
    expect(uncharged(used, RATES)).toEqual(['search', 'tool_call'])
    expect(uncharged(used, { ...RATES, units: { search: 1n } })).toEqual(['tool_call'])
    expect(uncharged(used, { ...RATES, units: { reported_nano_usd: 1n } })).toEqual([])
    expect(uncharged(usage(), RATES)).toEqual([])
  })

  test('no token is lost, and every unit that is left has a rate', () => {
    const classes = [
      'audio_input',
      'cached_audio_input',
      'image_input',
      'cached_image_input',
      'video_input',
      'audio_output',
      'image_output',
      'reasoning_output',
    ] as const
    const counts = fc.dictionary(fc.constantFrom(...classes), fc.nat(1_000))
    const rates = fc.dictionary(fc.constantFrom(...classes), fc.bigInt(0n, 1_000n))
    const total = ({ input, cachedInput, output, units = {} }: TokenCounts): number =>
      input + cachedInput + output + Object.values(units).reduce((sum: number, count: number) => sum + count, 0)
    fc.assert(
      fc.property(counts, rates, (units, priced) => {
        const before = usage({ units })
        const after = chargeable(before, { ...RATES, units: priced })
        expect(total(after)).toBe(total(before))
        expect(Object.keys(after.units ?? {}).filter((name) => !(name in priced))).toEqual([])
      }),
    )
  })
})

describe('what is charged where the provider might have done more than its list price says', () => {
  test('is the larger of the list price and the reported cost, whichever that is', { tags: 'S42' }, () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(5_000), fc.nat(20), (input, output, reported) => {
        const counted = usage({ input, output, reasoning: 0 })
        const listed = cost(counted, RATES)
        const { counts, rates, source } = pricedUsage(quote({ charges: 'at_least_reported' }), counted, reported)
        const told = BigInt(reported) * 500_000n
        expect(cost(counts, rates)).toBe(listed >= told ? listed : told)
        expect(source).toBe(listed >= told ? 'book:1' : 'policy:reported')
      }),
    )
  })

  test('is the list price where no cost is reported', () => {
    expect(pricedUsage(quote({ charges: 'at_least_reported' }), usage()).source).toBe('book:1')
  })
})

describe('large requests', () => {
  const LONG: Rates = { ...RATES, input: 20n, output: 45n }
  const tiered = quote({
    tiers: [
      { fromInput: 200, fromOutput: 0, rates: LONG },
      { fromInput: 200, fromOutput: 1_000, rates: { ...LONG, output: 90n } },
    ],
    source: 'book:1;window:night',
  })

  test('cost the rates of the last tier that they reach, and the receipt names it', () => {
    expect(pricedUsage(tiered, usage({ input: 199 }))).toMatchObject({ rates: RATES, source: 'book:1;window:night' })
    expect(pricedUsage(tiered, usage({ input: 150, cacheWrite5m: 50 }))).toMatchObject({
      rates: LONG,
      source: 'book:1;tier:input>=200;window:night',
    })
    expect(pricedUsage(tiered, usage({ input: 199, units: { image_input: 1 }, output: 1_000 }))).toMatchObject({
      rates: { output: 90n },
      source: 'book:1;tier:input>=200,output>=1000;window:night',
    })
  })

  test('are held at the dearest rates that any smaller request could get', () => {
    expect(dearestRates(tiered, 199, 10_000)).toBe(RATES)
    expect(dearestRates(tiered, 200, 10)).toMatchObject({ input: 20n, output: 50n })
    fc.assert(
      fc.property(fc.nat(400), fc.nat(2_000), fc.nat(400), fc.nat(2_000), (prompt, output, less, fewer) => {
        const bound = dearestRates(tiered, prompt, output)
        const { counts, rates } = pricedUsage(
          tiered,
          usage({ input: Math.min(less, prompt), output: Math.min(fewer, output), reasoning: 0 }),
        )
        expect(cost(counts, rates)).toBeLessThanOrEqual(cost(counts, bound))
      }),
    )
  })
})

test('a provider’s reported cost is charged instead of tokens, where that is the price', () => {
  const reported = quote({ charges: 'reported', source: 'policy:reported' })
  const priced = pricedUsage(reported, usage({ units: { audio_input: 1 } }), 1_234)
  expect(cost(priced.counts, priced.rates)).toBe(1_234n * 500_000n)
  expect(priced.counts).toMatchObject({ input: 101, output: 40 })
  expect(pricedUsage(reported, usage()).rates).toBe(RATES)
  expect(pricedUsage(quote(), usage(), 1_234).rates).toBe(RATES)
})
