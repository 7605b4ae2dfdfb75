import { findWrong, type Invariant, joinParts, sumParts } from './invariant.ts'
import { inScope } from './scope.ts'

/** The refunds of a scope that do not belong to one charge of the same accounts. */
const REFUNDS = `transfer r left join transfer c on c.request_id = r.refers_to and c.kind = 'consume'`

export const REFUNDED: Invariant = {
  id: 'I12',
  statement:
    'a refund goes to the payer of the charge that it refers to, and the refunds of a charge never exceed its net amount',
  check: (read, _now, scope) =>
    findWrong(
      read,
      `select count(*) as checked from transfer where kind = 'admin-refund' and ${inScope('request_id', scope)}`,
      `select r.request_id, r.refers_to, r.kind, r.amount, r.credit, r.limit_account, c.debit as paid_by,
        c.limit_account as paid_under
      from ${REFUNDS}
      where (r.kind = 'admin-refund' or r.refers_to is not null) and ${inScope('r.request_id', scope)}
        and (c.request_id is null or r.kind <> 'admin-refund' or r.amount <= 0 or r.credit <> c.debit
          or r.debit <> c.credit or r.limit_account <> c.limit_account)
      order by r.request_id limit 1`,
      // A refund may be older than the scope, so all refunds of a request are counted, whatever the scope.
      `with total as (
        select refers_to, ${sumParts('amount')} from transfer where refers_to is not null group by refers_to
      )
      select c.request_id, c.amount as charged, ${joinParts()} as refunded
      from total join transfer c on c.request_id = total.refers_to and c.kind = 'consume'
        left join transfer x on x.request_id = c.request_id and x.kind in ('adjust', 'refund')
      where ${joinParts()} > c.amount + case x.kind when 'adjust' then x.amount when 'refund' then -x.amount else 0 end
      order by c.request_id limit 1`,
    ),
}
