import type { Outcome, Settlement } from '../operation.ts'
import type { Price, TokenCounts } from '../pricing.ts'
import { UNIT_CLASSES, type UnitCounts, type UnitRates } from '../unit-class.ts'
import { fitsInt64 } from '../units.ts'
import { invalid, OUT_OF_RANGE } from './outcomes.ts'
import type { WorkingSet } from './working-set.ts'

/**
 * The most tokens or other units of one class that a request can be charged for. No provider serves as many, and the daily sums,
 * exact up to 2^53, hold thousands of such requests.
 */
const MAX_TOKENS = 2 ** 40

/** The fault of a settlement, before anything is changed. */
export function settlementFault(set: WorkingSet, settlement: Settlement): Outcome | undefined {
  const user = set.account(settlement.account)
  const limit = set.account(settlement.limitAccount)
  if (user?.kind !== 'user' || user.owner !== settlement.userId) return invalid('the account is not the user’s')
  if (limit?.kind !== 'token' || limit.owner !== settlement.tokenId)
    return invalid('the limit account is not the token’s')
  return staticFault(settlement)
}

/** The fault that a settlement has regardless of the rows. */
function staticFault({ amount, price, tokens, log }: Settlement): Outcome | undefined {
  if (amount < 0n) return invalid('a charge must not be negative')
  if (!Number.isSafeInteger(log.createdAt) || log.createdAt < 0) return invalid('createdAt must be unix seconds')
  if (!fitsInt64(amount)) return OUT_OF_RANGE
  return tokensFault(tokens) ?? unitsFault(tokens.units, price.rates.units) ?? priceFault(price)
}

function tokensFault(tokens: TokenCounts): Outcome | undefined {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning } = tokens
  for (const count of [input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning]) {
    if (!Number.isInteger(count) || count < 0) return invalid('token counts are whole and not negative')
    if (count > MAX_TOKENS) return OUT_OF_RANGE
  }
  return undefined
}

/** No counted unit may be free by omission. */
function unitsFault(counts: UnitCounts | undefined, rates: UnitRates = {}): Outcome | undefined {
  if (counts === undefined) return undefined
  for (const name of UNIT_CLASSES) {
    const count = counts[name]
    if (count === undefined) continue
    const rate = rates[name]
    if (rate === undefined) return invalid(`the price has no rate for ${name}`)
    if (!Number.isInteger(count) || count < 0) return invalid('counts are whole and not negative')
    if (rate < 0n) return invalid('a price must not be negative')
    if (count > MAX_TOKENS || !fitsInt64(rate)) return OUT_OF_RANGE
  }
  return undefined
}

function priceFault({ rates, groupRatio }: Price): Outcome | undefined {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output } = rates
  for (const part of [input, cachedInput, cacheWrite5m, cacheWrite1h, output, groupRatio]) {
    if (part < 0n) return invalid('a price must not be negative')
    if (!fitsInt64(part)) return OUT_OF_RANGE
  }
  return undefined
}
