import type { Operation, Outcome } from '../operation.ts'
import type { BatchContext } from './batch-context.ts'
import { applyBudgets } from './budgets.ts'
import { applySettle } from './charges.ts'
import { applyExtend, applyHold, applyRenew, applyVoid } from './holds.ts'
import { applyLease } from './leases.ts'
import { applyAccount, applyMove } from './moves.ts'
import { applyRecover, type RecoverOperation } from './recovery.ts'
import { applyRedeem } from './redeem.ts'
import { applyRefund } from './refunds.ts'
import type { WorkingSet } from './working-set.ts'

/**
 * Decides one operation on the rows of its batch. Every money rule lives behind this function, none in an engine. Every operation
 * gets an answer, whatever it contains; a throw means that the rows contradict themselves.
 */
export function applyOperation(
  set: WorkingSet,
  operation: Operation | RecoverOperation,
  context: BatchContext,
): Outcome {
  switch (operation.op) {
    case 'hold':
      return applyHold(set, operation, context)
    case 'lease':
      return applyLease(set, operation, context)
    case 'extend':
      return applyExtend(set, operation)
    case 'renew':
      return applyRenew(set, operation)
    case 'settle':
      return applySettle(set, operation.settlement, operation.lease)
    case 'void':
      return applyVoid(set, operation.requestId, operation.trace)
    case 'refund':
      return applyRefund(set, operation, context)
    case 'move':
      return applyMove(set, operation, context)
    case 'redeem':
      return applyRedeem(set, operation, context)
    case 'account':
      return applyAccount(set, operation)
    case 'budgets':
      return applyBudgets(set, operation)
    case 'recover':
      return applyRecover(set, operation.requestId)
  }
}

/**
 * Whether the commit of a batch has to be flushed to disk before it is answered. Leases and holds that no one acts on before a later commit
 * need not be: the database's log keeps its order, so the next flushed commit makes them durable too.
 */
export function mustFlush(batch: readonly (Operation | { readonly op: 'recover' })[]): boolean {
  return batch.some((operation) => operation.op !== 'lease' && (operation.op !== 'hold' || operation.durable))
}
