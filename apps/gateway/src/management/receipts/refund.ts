import type { Refusal } from '@sluice/contract/errors'
import { LOG_TYPE } from '@sluice/contract/log'
import type { BodyOutput } from '@sluice/contract/route'
import type { refundCharge } from '@sluice/contract/routes/receipts'
import { decimalText, MQ_PLACES, parseDecimalText } from '@sluice/ledger/decimal-text'
import { mq } from '@sluice/ledger/units'
import { findUser } from '@sluice/store/queries/accounts/users'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { outranks, RANK_REFUSAL } from '../users/rank.ts'

type Refund = (
  caller: Caller,
  charge: { readonly userId: number; readonly username: string; readonly requestId: string },
  wish: BodyOutput<typeof refundCharge>,
) => Promise<{ readonly data: { readonly refunded: string } } | Refusal>

/** Refunds a charge. As with every gift, the receiver must have a lower rank than the giver, unless the giver is root. */
export function createRefund(deps: Pick<SharedPorts, 'database' | 'ledger' | 'newId' | 'now'>): Refund {
  return async (caller, { userId, username, requestId }, { amount: wanted, reason }) => {
    const user = await findUser(deps.database.kysely, userId)
    if (user !== undefined && !outranks(caller, user.role)) return RANK_REFUSAL
    const amount = wanted === undefined ? 'rest' : parseDecimalText(wanted, MQ_PLACES)
    if (amount === undefined) return invalidField('amount', 'must be quota points')
    const answer = await deps.ledger.refund({
      refundId: deps.newId(),
      requestId,
      amount: amount === 'rest' ? amount : mq(amount),
      actor: caller.id,
      reason,
      log: {
        type: LOG_TYPE.topup,
        createdAt: Math.floor(deps.now() / 1_000),
        userId,
        username: user?.username ?? username,
        content: `Refund: ${reason}`,
      },
    })
    if (typeof answer === 'object') {
      if ('refunded' in answer) return { data: { refunded: decimalText(answer.refunded, MQ_PLACES) } }
      return { code: 'refund_too_large', params: { left: decimalText(answer.atMost, MQ_PLACES) }, field: 'amount' }
    }
    switch (answer) {
      case 'not_charged':
        return { code: 'receipt_not_found' }
      case 'out_of_range':
        return {
          code: 'refused',
          params: { reason: 'The balance would exceed the largest amount that can be recorded.' },
        }
      case 'unavailable':
        return { code: 'ledger_unavailable', retryAfter: 1 }
    }
  }
}
