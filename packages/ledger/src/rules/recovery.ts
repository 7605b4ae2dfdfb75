import type { Outcome } from '../operation.ts'
import { decodeProgress } from '../progress.ts'
import { applySettle } from './charges.ts'
import { applyVoid } from './holds.ts'
import { DONE, STALE } from './outcomes.ts'
import type { WorkingSet } from './working-set.ts'

/** Closes one hold of a dead replica. Only engines issue it. */
export interface RecoverOperation {
  readonly op: 'recover'
  readonly requestId: string
}

/** Charges the last progress of an open hold, otherwise voids it. Stale when its owner, or another replica, was faster. */
export function applyRecover(set: WorkingSet, requestId: string): Outcome {
  const hold = set.hold(requestId)
  if (hold === undefined) return STALE
  const progress = hold.progress === null ? undefined : decodeProgress(hold.progress)
  if (progress !== undefined) {
    const outcome = applySettle(set, { ...progress, log: { ...progress.log, ended: 'replica_died' } })
    if (outcome === DONE) return outcome
  }
  return applyVoid(set, requestId, undefined)
}
