import { charge } from '@sluice/ledger/pricing'
import { pricedUsage } from '@sluice/providers/prices/quote'
import { inPricedUnits } from '../charge/priced-units.ts'
import { estimateTokens } from '../charge/tokenizer/count.ts'
import type { Answered } from '../stages/answered.ts'
import type { Progress } from '../stages/authorised.ts'

/** What an answer of which this much text has arrived would cost: by sizes alone, as recovery would charge it. */
export function soFar({ parsed, candidate }: Pick<Answered, 'parsed' | 'candidate'>, textBytes: number): Progress {
  const output = estimateTokens(textBytes)
  const own = parsed.ownCounts({ prompt: estimateTokens(parsed.promptBytes), output })
  const { counts, rates, source } = pricedUsage(candidate.quote, inPricedUnits(own, candidate.quote.rates), undefined)
  return { tokens: output, amount: charge(counts, { rates, groupRatio: candidate.groupRatio, source }) }
}
