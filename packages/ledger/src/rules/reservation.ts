import type { Outcome } from '../operation.ts'
import { fitsInt64 } from '../units.ts'
import { moveWindows, overrunBudget } from './budgets.ts'
import { refusedFor, TOKEN_QUOTA, USER_QUOTA } from './outcomes.ts'
import type { Account, Hold } from './rows.ts'
import { available, type WorkingSet } from './working-set.ts'

/** Reserves on both accounts or on neither: their balances, and their budgets at `at`, must cover the amount. */
export function reserve(
  set: WorkingSet,
  user: Account,
  limit: Account,
  amount: bigint,
  at: number,
): Outcome | undefined {
  if (!user.unlimited && available(user) < amount) return USER_QUOTA
  if (!limit.unlimited && available(limit) < amount) return TOKEN_QUOTA
  if (!fitsInt64(user.held + amount)) return USER_QUOTA
  if (!fitsInt64(limit.held + amount)) return TOKEN_QUOTA
  for (const account of [user, limit]) moveWindows(set, account, user.owner, at)
  const overUser = overrunBudget(user, amount, at)
  if (overUser !== undefined) return refusedFor('user_budget', overUser)
  const overToken = overrunBudget(limit, amount, at)
  if (overToken !== undefined) return refusedFor('token_budget', overToken)
  user.held += amount
  limit.held += amount
  return undefined
}

/** Adds to what both accounts of a hold have reserved; a negative amount gives back. */
export function addHeld(set: WorkingSet, { account, limitAccount }: Hold, amount: bigint): void {
  accountOf(set, account).held += amount
  accountOf(set, limitAccount).held += amount
}

/** A foreign key ensures that the accounts of a stored hold exist. */
export function accountOf(set: WorkingSet, id: number): Account {
  const account = set.account(id)
  if (account === undefined) throw new Error(`account ${id} of an open hold does not exist`)
  return account
}
