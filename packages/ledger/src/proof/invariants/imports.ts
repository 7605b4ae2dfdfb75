import { SYSTEM_OWNER } from '../../engines/system-accounts.ts'
import { findWrong, type Invariant, joinParts, sumParts } from './invariant.ts'
import { inScope, type Scope } from './scope.ts'

const EQUITY = `coalesce((select id from account where kind = 'system' and owner_id = ${SYSTEM_OWNER.equity}), 0)`
/** Prefix of the ids of all transfers for a row `i` of `imported`; the transfer's number follows. */
const NAME = `'import-' || i.source || '-user-' || cast(i.source_id as bigint) || '-'`

/** What was transferred less what is noted, by the user's name and account. Nothing else touches the equity. */
function entries(scope: Scope): string {
  const noted = `imported i left join account on account.kind = 'user' and account.owner_id = i.target_id`
  return `
    select case kind when 'import' then rtrim(request_id, '0123456789') else kind || ' ' || request_id end as name,
      coalesce(case ${EQUITY} when credit then debit when debit then credit end, -1) as account,
      case ${EQUITY} when credit then -amount else amount end as amount, 0 as noted
    from transfer where (kind = 'import' or debit = ${EQUITY} or credit = ${EQUITY}) and ${inScope('request_id', scope)}
    union all
    select ${NAME}, coalesce(account.id, 0), -i.brought, 1 from ${noted} where i.kind = 'user'
    union all
    select ${NAME}, coalesce(account.id, 0), -i.pending, 0 from ${noted}
    where i.kind = 'user' and i.pending is not null
      and exists (select 1 from transfer t where t.request_id = ${NAME} || i.step and t.kind = 'import')`
}

/** The ids of these transfers carry no time, so every scope includes all of them. */
export const IMPORTED: Invariant = {
  id: 'I13',
  statement: 'what was imported for a user came from equity, in the amount recorded for that user',
  check: (read, _now, scope) =>
    findWrong(
      read,
      `select count(*) as checked from transfer where kind = 'import' and ${inScope('request_id', scope)}`,
      `with entry as (${entries(scope)}), total as (
        select name, min(account) as least_account, max(account) as most_account, sum(noted) as noted, ${sumParts('amount')}
        from entry group by name
      )
      select name, least_account, most_account, noted, ${joinParts()} as too_much from total
      where noted <> 1 or least_account <> most_account or ${joinParts()} <> 0
      order by name limit 1`,
    ),
}
