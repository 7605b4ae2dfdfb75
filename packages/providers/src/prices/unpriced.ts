import { kindOf } from '../kinds/all.ts'
import { decimalOfNumber, scaledUp } from './decimal.ts'
import type { Quote } from './quote.ts'

/**
 * What happens to a model without a price. `refuse`: it cannot be called. `fallback`: every token costs a stated ratio. `reported`:
 * on channels whose provider can say what a call cost, that is charged, or the ratio where it says nothing; elsewhere the model is
 * refused.
 */
export type UnpricedPolicy = 'refuse' | 'fallback' | 'reported'

/** A ratio counts quota per token, a rate 10^-9 quota per token. */
const NANO_POWER = 9

/** The price that an operator's policy gives to a model that has none. `ratio` 1 is 2 USD per million tokens. */
export function unpricedQuote(kindCode: number, policy: UnpricedPolicy, ratio: number): Quote | 'missing' {
  const price = decimalOfNumber(ratio)
  const isCharged = policy === 'fallback' || (policy === 'reported' && kindOf(kindCode)?.reportsCost === true)
  if (!isCharged || price === undefined) return 'missing'
  const rate = scaledUp(price, NANO_POWER)
  return {
    rates: { input: rate, cachedInput: rate, cacheWrite5m: rate, cacheWrite1h: rate, output: rate },
    tiers: [],
    maxOutput: undefined,
    context: undefined,
    source: `policy:${policy}`,
    ...(policy === 'reported' ? { charges: 'reported' } : {}),
  }
}
