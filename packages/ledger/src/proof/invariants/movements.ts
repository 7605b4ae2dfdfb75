import { inScope, type Scope } from './scope.ts'

/** Kinds of transfers that charge a request or correct its charge. */
export const CHARGES = `('consume', 'adjust', 'refund')`

/** A query of `account` and `amount`: the changes to each account by a scope's transfers and its checkpoint. */
export function movements(scope: Scope): string {
  const counted = inScope('request_id', scope)
  return `
    select credit as account, amount from transfer where credit is not null and ${counted}
    union all select debit, -amount from transfer where debit is not null and ${counted}
    union all select limit_account, case when kind in ('limit-set', 'refund', 'admin-refund') then amount else -amount end
      from transfer where limit_account is not null and ${counted}
    ${fromCheckpoint('account, posted', scope)}`
}

/** A query of `account`, `amount` and `request`: the spending of each account by a scope's charges and its checkpoint. */
export function spendings(scope: Scope): string {
  const counted = inScope('request_id', scope)
  return `
    select debit as account, amount, case kind when 'consume' then 1 else 0 end as request
      from transfer where kind in ('consume', 'adjust') and ${counted}
    union all select credit, -amount, 0 from transfer where kind in ('refund', 'admin-refund') and ${counted}
    union all select limit_account, case when kind in ('refund', 'admin-refund') then -amount else amount end,
      case kind when 'consume' then 1 else 0 end
      from transfer where kind in ('consume', 'adjust', 'refund', 'admin-refund') and ${counted}
    ${fromCheckpoint('account, spent, requests', scope)}`
}

function fromCheckpoint(columns: string, { checkpoint }: Scope): string {
  return checkpoint === 0 ? '' : `union all select ${columns} from account_checkpoint where check_id = ${checkpoint}`
}
