import type { Outcome, RedeemOperation } from '../operation.ts'
import { fitsInt64, mq } from '../units.ts'
import type { BatchContext } from './batch-context.ts'
import { logManagement, NO_TOKENS } from './moves.ts'
import { invalid, OUT_OF_RANGE, STALE } from './outcomes.ts'
import { type Redemption, REDEMPTION_STATUS } from './rows.ts'
import type { WorkingSet } from './working-set.ts'

/** Unused code → used code and a paid user. Every other state is answered `stale`. */
export function applyRedeem(set: WorkingSet, operation: RedeemOperation, context: BatchContext): Outcome {
  const { redemption: id, actor, at } = operation
  const user = set.account(operation.account)
  if (user?.kind !== 'user') return invalid('a code is redeemed to a user account')
  const code = set.redemption(id)
  if (code === undefined) return STALE
  const requestId = redemptionRequestId(id)
  if (code.status !== REDEMPTION_STATUS.unused) {
    const own = isOwn(code, operation, context) && set.claimMove(requestId, 'redeem')
    return own ? { outcome: 'redeemed', amount: mq(code.amount) } : STALE
  }
  if (operation.alteredBy !== undefined && operation.alteredBy !== code.alteredBy) return STALE
  if (hasExpired(code, at)) return STALE
  const { issuance } = set
  if (!fitsInt64(user.posted + code.amount) || !fitsInt64(issuance.posted - code.amount)) return OUT_OF_RANGE
  user.posted += code.amount
  issuance.posted -= code.amount
  set.redeemed.set(id, { ...code, status: REDEMPTION_STATUS.used, redeemedBy: actor, redeemedMs: at })
  set.claimMove(requestId, 'redeem')
  set.transfers.push({
    requestId,
    kind: 'redeem',
    debit: issuance.id,
    credit: user.id,
    limitAccount: null,
    amount: code.amount,
    priceId: null,
    tokens: NO_TOKENS,
    channelId: 0,
    model: '',
    actor,
    reason: 'redemption code',
    atMs: at,
    refersTo: null,
  })
  logManagement(set, requestId, { ...operation.log, amount: mq(code.amount) })
  return { outcome: 'redeemed', amount: mq(code.amount) }
}

function hasExpired({ expiredTime }: Redemption, at: number): boolean {
  return expiredTime !== 0 && at >= expiredTime * 1_000
}

/** Id of the transfer that a code may cause; the invariant that proves redemptions builds the same text. */
function redemptionRequestId(id: number): string {
  return `redemption-${id}`
}

/** A batch that is applied again finds its own earlier effect. */
function isOwn(code: Redemption, { actor, at }: RedeemOperation, { again }: BatchContext): boolean {
  if (!again || code.usedBefore) return false
  return code.status === REDEMPTION_STATUS.used && code.redeemedBy === actor && code.redeemedMs === at
}
