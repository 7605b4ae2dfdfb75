import { fitsInt64 } from '../units.ts'
import type { Account, Charged } from './rows.ts'
import type { WorkingSet } from './working-set.ts'

/** Moves `amount` (less than 0: back) from the user to the revenue and counts it, unless a balance would not hold it. */
export function post(
  set: WorkingSet,
  { account, limitAccount }: Pick<Charged, 'account' | 'limitAccount'>,
  amount: bigint,
): boolean {
  const user = set.account(account)
  const limit = set.account(limitAccount)
  const { revenue } = set
  if (user === undefined || limit === undefined) return false
  const fits = fitsInt64(revenue.posted + amount) && canSpend(user, amount) && canSpend(limit, amount)
  if (!fits) return false
  revenue.posted += amount
  for (const charged of [user, limit]) {
    charged.posted -= amount
    charged.spent += amount
  }
  return true
}

function canSpend(account: Account, amount: bigint): boolean {
  return fitsInt64(account.posted - amount) && fitsInt64(account.spent + amount)
}
