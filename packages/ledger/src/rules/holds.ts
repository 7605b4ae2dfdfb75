import type { ExtendOperation, HoldOperation, Outcome, RenewOperation, TraceRow } from '../operation.ts'
import { encodeProgress } from '../progress.ts'
import { fitsInt64 } from '../units.ts'
import type { BatchContext } from './batch-context.ts'
import { moveWindows, overrunBudget } from './budgets.ts'
import { DONE, invalid, refusedFor, STALE, TOKEN_QUOTA, USER_QUOTA } from './outcomes.ts'
import type { Account, Hold } from './rows.ts'
import { settlementFault } from './settlement-fault.ts'
import { isLegal, stateOf } from './transitions.ts'
import { available, type WorkingSet } from './working-set.ts'

/** absent → open. */
export function applyHold(set: WorkingSet, operation: HoldOperation, context: BatchContext): Outcome {
  const { requestId, account, limitAccount, amount, at } = operation
  const user = set.account(account)
  const limit = set.account(limitAccount)
  if (user?.kind !== 'user') return invalid('a hold needs a user account')
  if (limit?.kind !== 'token') return invalid('a hold needs a limit account of a token')
  if (amount < 0n) return invalid('a hold must not be negative')
  const open = set.hold(requestId)
  if (open !== undefined) return isOwnHold(open, operation, context) && set.claimHold(requestId) ? DONE : STALE
  if (!isLegal(stateOf(set, requestId), 'hold')) return STALE
  const refusal = reserve(set, user, limit, amount, at)
  if (refusal !== undefined) return refusal
  const { replica } = context
  set.openHold({ requestId, account, limitAccount, amount, progress: null, replica, openedMs: at, touchedMs: at })
  return DONE
}

/** open → open with at least `amount` in total. */
export function applyExtend(set: WorkingSet, { requestId, amount, at }: ExtendOperation): Outcome {
  const hold = set.hold(requestId)
  if (hold === undefined) return STALE
  const more = amount - hold.amount
  if (more <= 0n) return DONE
  const refusal = reserve(set, accountOf(set, hold.account), accountOf(set, hold.limitAccount), more, at)
  if (refusal !== undefined) return refusal
  set.changeHold({ ...hold, amount, touchedMs: at })
  return DONE
}

/** open → open, with what to charge if the replica dies. */
export function applyRenew(set: WorkingSet, { requestId, progress, at }: RenewOperation): Outcome {
  const hold = set.hold(requestId)
  if (hold === undefined) return STALE
  const fault = settlementFault(set, progress)
  if (fault !== undefined) return fault
  if (!isHoldOf(hold, progress)) return invalid('the progress names other accounts than the hold')
  set.changeHold({ ...hold, progress: encodeProgress(progress), touchedMs: at })
  return DONE
}

/** open → absent. */
export function applyVoid(set: WorkingSet, requestId: string, trace: TraceRow | undefined): Outcome {
  const hold = set.hold(requestId)
  if (hold === undefined) return STALE
  release(set, hold)
  if (trace !== undefined) set.traces.set(requestId, trace)
  return DONE
}

/** Closes a hold and returns its reservation to both accounts. */
export function release(set: WorkingSet, hold: Hold): void {
  accountOf(set, hold.account).held -= hold.amount
  accountOf(set, hold.limitAccount).held -= hold.amount
  set.closeHold(hold.requestId)
}

export function isHoldOf(
  hold: Hold,
  settlement: { requestId: string; account: number; limitAccount: number },
): boolean {
  return (
    hold.requestId === settlement.requestId &&
    hold.account === settlement.account &&
    hold.limitAccount === settlement.limitAccount
  )
}

/** Reserves on both accounts or on neither: their balances, and their budgets at `at`, must cover the amount. */
function reserve(set: WorkingSet, user: Account, limit: Account, amount: bigint, at: number): Outcome | undefined {
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

function isOwnHold(hold: Hold, operation: HoldOperation, { again, replica }: BatchContext): boolean {
  return again && hold.replica === replica && hold.openedMs === operation.at && isHoldOf(hold, operation)
}

/** A foreign key ensures that the accounts of a stored hold exist. */
function accountOf(set: WorkingSet, id: number): Account {
  const account = set.account(id)
  if (account === undefined) throw new Error(`account ${id} of an open hold does not exist`)
  return account
}
