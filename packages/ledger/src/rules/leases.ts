import type { HoldOperation, LeasedHold, LeaseOperation, Outcome } from '../operation.ts'
import type { BatchContext } from './batch-context.ts'
import { DONE, invalid } from './outcomes.ts'
import { addHeld, reserve } from './reservation.ts'
import type { Hold } from './rows.ts'
import type { WorkingSet } from './working-set.ts'

/**
 * A lease is a hold that belongs to a replica instead of a request, so recovery, proof and budgets treat it like any other. The
 * amount is absolute: a batch that is applied again can leave more in the lease than its replica knows of, never less.
 */
export function applyLease(set: WorkingSet, operation: LeaseOperation, { replica }: BatchContext): Outcome {
  const { requestId, account, limitAccount, amount, at } = operation
  const user = set.account(account)
  const limit = set.account(limitAccount)
  if (user?.kind !== 'user') return invalid('a lease needs a user account')
  if (limit?.kind !== 'token') return invalid('a lease needs a limit account of a token')
  if (amount < 0n) return invalid('a lease must not be negative')
  const open = set.hold(requestId)
  if (
    open !== undefined &&
    (open.account !== account || open.limitAccount !== limitAccount || open.replica !== replica)
  )
    return invalid('the lease is on other accounts, or of another replica')
  const more = amount - (open?.amount ?? 0n)
  if (more <= 0n) {
    if (open !== undefined) shrink(set, open, -more)
    return DONE
  }
  const refusal = reserve(set, user, limit, more, at)
  if (refusal !== undefined) return refusal
  if (open === undefined)
    set.openHold({ requestId, account, limitAccount, amount, progress: null, replica, openedMs: at, touchedMs: at })
  else set.changeHold({ ...open, amount, touchedMs: at })
  return DONE
}

/**
 * Takes what was charged or held for a request out of the lease that covered it, up to what the lease held for it. Returns how to
 * undo that.
 */
export function spendLease(
  set: WorkingSet,
  { lease, amount: held }: LeasedHold,
  { account, limitAccount, amount }: Pick<HoldOperation, 'account' | 'limitAccount' | 'amount'>,
): (() => void) | undefined {
  const open = set.hold(lease)
  // Recovered meanwhile: the charge stands, as it does without a hold.
  if (open === undefined || open.account !== account || open.limitAccount !== limitAccount) return undefined
  const spent = amount < held ? amount : held
  const taken = spent < open.amount ? spent : open.amount
  shrink(set, open, taken)
  return () => {
    addHeld(set, open, taken)
    set.changeHold(open)
  }
}

function shrink(set: WorkingSet, open: Hold, by: bigint): void {
  if (by === 0n) return
  addHeld(set, open, -by)
  const amount = open.amount - by
  if (amount > 0n) set.changeHold({ ...open, amount })
  else set.closeHold(open.requestId)
}
