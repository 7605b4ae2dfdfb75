import { can } from '@sluice/contract/capability'
import type { Dashboard } from '@sluice/contract/dashboard'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/dashboard'
import { quotaText, mq, wholeCharge, wholeQuota } from '@sluice/ledger/units'
import { dayText } from '@sluice/observe/day'
import { findUser, listUserNames } from '@sluice/store/queries/accounts/users'
import * as usage from '@sluice/store/queries/logs/usage'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { usedOnWire } from '../quota-wire.ts'
import type { Caller } from '../sessions/caller.ts'
import { chartRoutes } from './chart.ts'
import { type DateRange, dateRange } from './date-range.ts'

/** Models, users and tokens with separate rows (the console's charts name fifteen); the sum of the others keeps replies small. */
const APART = { models: 200, users: 50, tokens: 50 }
const APART_OVER_MONTHS = { models: 15, users: 10, tokens: 10 }
const MONTHS_DAYS = 62
const REST_NAME = 'Others'
const SELECTOR_MAX = 1_000

export type DashboardDeps = Pick<SharedPorts, 'database' | 'now'>

/** Usage by UTC day, from sums that every charge updates in its own commit. */
export function dashboardRoutes(deps: DashboardDeps): readonly Binding[] {
  const db = deps.database.kysely

  /** The user to show; undefined for all users. */
  const subject = async (caller: Caller, userId: string): Promise<{ id: number | undefined } | Refusal> => {
    if (!can(caller.role, 'dashboard.anyUser')) {
      if (userId === '' || userId === String(caller.id)) return { id: caller.id }
      return { code: 'refused', params: { reason: 'You can see only your own usage.' }, field: 'user_id' }
    }
    if (userId === 'all' || userId === '') return { id: undefined }
    const user = /^\d{1,9}$/.test(userId) ? await findUser(db, Number(userId)) : undefined
    return user === undefined ? invalidField('user_id', 'must be "all" or the id of a user') : { id: user.id }
  }

  return [
    bind(routes.dashboard, async ({ caller, query }) => {
      const range = dateRange(query, can(caller.role, 'dashboard.anyUser'), deps.now())
      if (isRefusal(range)) return range
      const user = await subject(caller, query.user_id)
      if (isRefusal(user)) return user
      return { data: await readDashboard(range, user.id) }
    }),
    bind(routes.dashboardUsers, async () => ({ data: await listUserNames(db, SELECTOR_MAX) })),
    ...chartRoutes(deps),
  ]

  async function readDashboard(range: DateRange, userId: number | undefined): Promise<Dashboard> {
    const [{ models, users, tokens }, balances] = await Promise.all([
      usage.readUsage(db, range, userId, range.to - range.from < MONTHS_DAYS ? APART : APART_OVER_MONTHS),
      usage.sumBalances(db, userId),
    ])
    const sums = sumsIn(range)
    return {
      logs: models.map((row) => ({ ...sums(row), ModelName: row.model })),
      user_logs: users.map((row) => ({ ...sums(row), Username: nameOf(row.userId, row.username), UserId: row.userId })),
      token_logs: tokens.map((row) => ({
        ...sums(row),
        TokenName: nameOf(row.tokenId, row.tokenName),
        Username: nameOf(row.userId, row.username),
        UserId: row.userId,
      })),
      total_quota: wholeQuota(mq(balances.posted)),
      total_quota_exact: quotaText(mq(balances.posted)),
      ...usedOnWire(balances.spent),
      status: userId === undefined ? activity(balances) : balances.active === 1 ? 'Active' : 'Disabled',
    }
  }
}

/** A year has thousands of rows but few days, so each day is formatted once. */
function sumsIn({ from, to }: DateRange) {
  const days = Array.from({ length: to - from + 1 }, (_, at) => dayText(from + at))
  return (row: usage.UsageSums) => ({
    Day: days[row.day - from] ?? '',
    RequestCount: row.requests,
    Quota: wholeCharge(mq(row.amount)),
    QuotaExact: quotaText(mq(row.amount)),
    PromptTokens: row.promptTokens,
    CompletionTokens: row.completionTokens,
  })
}

/** Empty for a deleted object; the console has a text for that. */
function nameOf(id: number, name: string | null): string {
  return id === 0 ? REST_NAME : (name ?? '')
}

function activity({ users, active }: { readonly users: number; readonly active: number }): string {
  if (active === 0) return 'No Active Users'
  return active === users ? 'All Active' : `${active}/${users} Active`
}
