import type { PriceTable } from '@sluice/providers/prices/price-row'

const SHORT = { context: 200_000, maxOutput: 64_000 } as const
const LONG = { context: 1_000_000, maxOutput: 128_000 } as const
const SONNET_4 = { input: '3', output: '15', cachedInput: '0.3', cacheWrite5m: '3.75', cacheWrite1h: '6' } as const
const OPUS = { input: '5', output: '25', cachedInput: '0.5', cacheWrite5m: '6.25', cacheWrite1h: '10' } as const

/** One-hour cache writes cost twice the input price, the vendor's rule for every model. */
export const ANTHROPIC_PRICES: PriceTable = {
  'claude-haiku-4-5': {
    ...SHORT,
    input: '1',
    output: '5',
    cachedInput: '0.1',
    cacheWrite5m: '1.25',
    cacheWrite1h: '2',
  },
  'claude-haiku-5-5': {
    ...LONG,
    input: '0.1',
    output: '0.5',
    cachedInput: '0.01',
    cacheWrite5m: '0.125',
    cacheWrite1h: '0.2',
  },
  'claude-sonnet-4-5': { ...SHORT, ...SONNET_4, retires: '2026-11-30' },
  'claude-sonnet-4-6': { ...LONG, ...SONNET_4 },
  'claude-sonnet-5': { ...LONG, input: '2', output: '10', cachedInput: '0.2', cacheWrite5m: '2.5', cacheWrite1h: '4' },
  'claude-sonnet-5-5': {
    ...LONG,
    input: '2',
    output: '10',
    cachedInput: '0.1',
    cacheWrite5m: '2.5',
    cacheWrite1h: '4',
  },
  'claude-opus-4-5': { ...SHORT, ...OPUS },
  'claude-opus-4-6': { ...LONG, ...OPUS },
  'claude-opus-4-7': { ...LONG, ...OPUS },
  'claude-opus-4-8': { ...LONG, ...OPUS },
  'claude-opus-5': { ...LONG, ...OPUS },
  'claude-opus-5-5': { ...LONG, input: '4', output: '20', cachedInput: '0.2', cacheWrite5m: '5', cacheWrite1h: '8' },
  'claude-fable-5': { ...LONG, input: '10', output: '50', cachedInput: '1', cacheWrite5m: '12.5', cacheWrite1h: '20' },
  'claude-fable-5-1': {
    ...LONG,
    input: '10',
    output: '50',
    cachedInput: '0.25',
    cacheWrite5m: '12.5',
    cacheWrite1h: '20',
  },
  'claude-fable-5-2': { ...LONG, input: '8', output: '40', cachedInput: '0.2', cacheWrite5m: '10', cacheWrite1h: '16' },
}
