import { findBalance } from '@sluice/store/queries/ledger/balances'
import { findToken } from '@sluice/store/queries/tokens/tokens'
import type { KeyHolder, SharedPorts } from '../ports.ts'

/** The limit that the family shows for an unlimited token. */
const NO_LIMIT = 100_000_000

/** The limit and spending of a key, in currency units or, if the operator shows no currency, in quota points. */
export interface Spending {
  /** Remaining and spent together. */
  readonly total: number
  /** Hundredths of the amount spent. */
  readonly usage: number
  /** Unix seconds; 0 for never. */
  readonly expires: number
}

/**
 * The token's spending, or its owner's if `DisplayTokenStatEnabled` is off; divided by `QuotaPerUnit` if
 * `DisplayInCurrencyEnabled`.
 */
export async function spendingOf(
  deps: Pick<SharedPorts, 'database' | 'options'>,
  holder: KeyHolder,
): Promise<Spending> {
  const db = deps.database.kysely
  const { DisplayTokenStatEnabled: ofToken, DisplayInCurrencyEnabled: inCurrency, QuotaPerUnit: unit } = deps.options()
  const [balance, token] = await Promise.all([
    findBalance(db, ofToken ? holder.limitAccount : holder.account),
    findToken(db, holder.userId, holder.tokenId),
  ])
  const shown = (amount: bigint) => inUnits(amount, inCurrency ? unit : 1)
  return {
    total: ofToken && token?.unlimited ? NO_LIMIT : shown(balance.posted + balance.spent),
    usage: shown(balance.spent * 100n),
    expires: ofToken ? Math.max(0, token?.expiredTime ?? 0) : 0,
  }
}

/** An amount in units of `unit` quota points. Six decimals: by default nothing is charged in smaller units. */
export function inUnits(amount: bigint, unit: number): number {
  return Number((Number(amount) / 1_000 / unit).toFixed(6))
}
