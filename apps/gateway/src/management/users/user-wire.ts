import type { User } from '@sluice/contract/user'
import { quotaText, mq, wholeQuota } from '@sluice/ledger/units'
import type { UserRow } from '@sluice/store/queries/accounts/users'
import { budgetsOnWire } from '../budgets.ts'
import { usedBeforeOnWire, usedOnWire } from '../quota-wire.ts'

/** A user on the wire, without hashes, sessions and tokens. `now` in unix milliseconds. */
export function userOnWire(row: UserRow, now: number): User {
  return {
    id: row.id,
    username: row.username,
    display_name: row.displayName,
    email: row.email,
    role: row.role,
    status: row.status,
    group: row.group,
    quota: wholeQuota(mq(row.posted)),
    quota_exact: quotaText(mq(row.posted)),
    ...usedOnWire(row.spent),
    request_count: row.requests,
    ...usedBeforeOnWire(row.before),
    created_time: row.createdTime,
    github_id: row.githubId,
    lark_id: row.larkId,
    oidc_id: row.oidcId,
    wechat_id: row.wechatId,
    budgets: budgetsOnWire(row.budgets, now),
  }
}
