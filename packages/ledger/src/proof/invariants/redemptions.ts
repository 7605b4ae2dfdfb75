import { REDEMPTION_STATUS } from '../../rules/rows.ts'
import { findWrong, type Invariant } from './invariant.ts'
import { inScope } from './scope.ts'

export const REDEEMED_ONCE: Invariant = {
  id: 'I7',
  statement:
    'a redemption code is used if and only if it paid out exactly its amount, once, or was used at another gateway',
  check: (read, _now, scope) =>
    findWrong(
      read,
      'select count(*) as checked from redemption',
      `select redemption.id, redemption.status, redemption.amount, transfer.amount as paid, transfer.actor
      from redemption left join transfer
        on transfer.request_id = 'redemption-' || redemption.id and transfer.kind = 'redeem'
      where (redemption.used_before = 1 and (redemption.status <> ${REDEMPTION_STATUS.used} or transfer.amount is not null))
        or (redemption.used_before = 0 and redemption.status = ${REDEMPTION_STATUS.used} and (transfer.amount is null
          or transfer.amount <> redemption.amount or transfer.actor <> redemption.redeemed_by))
        or (redemption.status <> ${REDEMPTION_STATUS.used} and transfer.amount is not null)
      order by redemption.id limit 1`,
      `select transfer.request_id, transfer.amount as paid from transfer
      left join redemption on transfer.request_id = 'redemption-' || redemption.id
      where transfer.kind = 'redeem' and redemption.id is null and ${inScope('transfer.request_id', scope)}
      order by transfer.request_id limit 1`,
    ),
}
