import type { Outcome, RefundOperation } from '../operation.ts'
import { mq } from '../units.ts'
import type { BatchContext } from './batch-context.ts'
import { post } from './charges.ts'
import { logManagement, NO_TOKENS } from './moves.ts'
import { invalid, OUT_OF_RANGE, STALE } from './outcomes.ts'
import type { Charged, Refund } from './rows.ts'
import { isLegal, stateOf } from './transitions.ts'
import type { WorkingSet } from './working-set.ts'

const KIND = 'admin-refund'

/** charged | corrected | refunded → refunded. Stale when the request was not charged, or the id has paid before. */
export function applyRefund(set: WorkingSet, operation: RefundOperation, context: BatchContext): Outcome {
  const { refundId, requestId, actor, reason, at } = operation
  if (operation.amount !== 'rest' && operation.amount <= 0n) return invalid('a refund must be more than nothing')
  const before = set.refund(refundId)
  if (before !== undefined) {
    const own = isOwn(before, operation, context) && set.claimMove(refundId, KIND)
    return own ? { outcome: 'refunded', amount: mq(before.amount) } : STALE
  }
  const charged = set.charged(requestId)
  if (charged === undefined || !hasAccounts(set, charged)) return STALE
  if (!isLegal(stateOf(set, requestId), 'refund')) return STALE
  const left = charged.net - charged.refunded
  const amount = operation.amount === 'rest' ? left : operation.amount
  if (amount > left || left === 0n) return { outcome: 'exceeds', left: mq(left) }
  if (!post(set, charged, -amount)) return OUT_OF_RANGE
  const { account, limitAccount, channelId, model } = charged
  set.transfers.push({
    requestId: refundId,
    kind: KIND,
    debit: set.revenue.id,
    credit: account,
    limitAccount,
    amount,
    priceId: null,
    tokens: NO_TOKENS,
    channelId,
    model,
    actor,
    reason,
    atMs: at,
    refersTo: requestId,
  })
  set.setCharged(requestId, { ...charged, refunded: charged.refunded + amount })
  set.setRefund(refundId, { requestId, amount, actor, atMs: at })
  if (operation.log !== undefined) logManagement(set, requestId, { ...operation.log, amount: mq(amount) })
  return { outcome: 'refunded', amount: mq(amount) }
}

/** False if the request was charged after the accounts were locked: then the refund came first and found nothing. */
function hasAccounts(set: WorkingSet, { account, limitAccount }: Charged): boolean {
  return set.account(account) !== undefined && set.account(limitAccount) !== undefined
}

/** A batch that is applied again finds its own earlier effect. */
function isOwn(before: Refund, { requestId, actor, at }: RefundOperation, { again }: BatchContext): boolean {
  return again && before.requestId === requestId && before.actor === actor && before.atMs === at
}
