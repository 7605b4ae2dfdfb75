import type { ExtendOperation, HoldOperation, Outcome, RenewOperation, TraceRow } from '../operation.ts'
import { encodeProgress } from '../progress.ts'
import type { BatchContext } from './batch-context.ts'
import { spendLease } from './leases.ts'
import { DONE, invalid, STALE } from './outcomes.ts'
import { accountOf, addHeld, reserve } from './reservation.ts'
import type { Hold } from './rows.ts'
import { settlementFault } from './settlement-fault.ts'
import { isLegal, stateOf } from './transitions.ts'
import type { WorkingSet } from './working-set.ts'

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
  const putBack = operation.lease === undefined ? undefined : spendLease(set, operation.lease, operation)
  const refusal = reserve(set, user, limit, amount, at)
  if (refusal !== undefined) {
    putBack?.()
    return refusal
  }
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
  addHeld(set, hold, -hold.amount)
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

function isOwnHold(hold: Hold, operation: HoldOperation, { again, replica }: BatchContext): boolean {
  return again && hold.replica === replica && hold.openedMs === operation.at && isHoldOf(hold, operation)
}
