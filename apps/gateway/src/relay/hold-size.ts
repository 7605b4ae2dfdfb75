import type { TokenCounts } from '@sluice/dialects/token-counts'
import { charge, type Price, type Rates } from '@sluice/ledger/pricing'
import type { Mq } from '@sluice/ledger/units'
import { chargeable } from '@sluice/providers/prices/chargeable'
import { outputTokens, promptTokens } from '@sluice/providers/prices/chargeable'
import { dearestRates, type Quote } from '@sluice/providers/prices/quote'
import type { Asked } from './calls/asked.ts'
import type { Candidate } from './plan.ts'
import { unitsAsTokens } from './units-as-tokens.ts'

export interface HoldSize {
  readonly amount: Mq
  /** True when some candidate's answer is not capped by the amount. */
  readonly open: boolean
}

/** The dearest candidate decides, so a retry never needs more than was held. */
export function holdSize(
  asked: Asked,
  candidates: readonly Candidate[],
  groupRatio: bigint,
  preConsumed: number,
): HoldSize {
  let amount = 0n as Mq
  let open = false
  for (const { quote } of candidates) {
    const bound = asked.bound(quote, preConsumed)
    const most = chargeAtMost(bound.counts, quote, groupRatio)
    if (most > amount) amount = most
    open ||= bound.open
  }
  return { amount, open }
}

/** The price of at most so much, every prompt token at the dearest of its classes. */
export function chargeAtMost(counts: TokenCounts, quote: Quote, groupRatio: bigint): Mq {
  const rates = dearestRates(quote, promptTokens(counts), outputTokens(counts))
  const price: Price = { rates: { ...rates, input: dearestInput(rates) }, groupRatio, source: '' }
  return charge(chargeable(unitsAsTokens(counts, rates), rates), price)
}

function dearestInput({ input, cacheWrite5m, cacheWrite1h }: Rates): bigint {
  const written = cacheWrite5m > cacheWrite1h ? cacheWrite5m : cacheWrite1h
  return written > input ? written : input
}
