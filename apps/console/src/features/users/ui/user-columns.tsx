import { type User, USER_STATUS } from '@sluice/contract/user'
import type { ReactNode } from 'react'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge } from '~/ui/badge.tsx'
import { BudgetMeter } from '~/ui/quota/budget-meter.tsx'
import { tightestBudget } from '~/ui/quota/budgets.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import type { Column } from '~/ui/table/use-list-table.ts'
import { Time } from '~/ui/time.tsx'
import { isUnlimited, roleName } from '../model/user-form-values.ts'
import { type en, userTexts } from '../texts/user-texts.ts'

interface ColumnParts {
  readonly t: Translation<typeof en>
  readonly name: (user: User) => ReactNode
  readonly actions: (user: User) => ReactNode
}

export function userColumns(parts: ColumnParts): Column<User>[] {
  const { t, actions } = parts
  return [
    ...identityColumns(parts),
    ...roleColumns(parts),
    ...usageColumns(parts),
    {
      id: 'actions',
      header: t.columns.actions,
      width: '8.75rem',
      align: 'end',
      fixed: true,
      stays: true,
      cell: actions,
    },
  ]
}

function identityColumns({ t, name }: ColumnParts): Column<User>[] {
  return [
    { id: 'id', header: t.columns.id, width: '4rem', sortable: true, from: 'desktop', cell: (user) => user.id },
    {
      id: 'username',
      header: t.columns.username,
      width: 'minmax(7.5rem, 1.2fr)',
      sortable: true,
      fixed: true,
      cell: name,
    },
    {
      id: 'display_name',
      header: t.columns.displayName,
      width: 'minmax(7rem, 1fr)',
      from: 'chosen',
      cell: (user) => text(user.display_name),
    },
    {
      id: 'email',
      header: t.columns.email,
      width: 'minmax(9rem, 1.2fr)',
      from: 'wide',
      cell: (user) => text(user.email),
    },
  ]
}

function roleColumns({ t }: ColumnParts): Column<User>[] {
  return [
    {
      id: 'role',
      header: t.columns.role,
      width: '7.25rem',
      from: 'desktop',
      cell: (user) => <RoleName role={user.role} />,
    },
    {
      id: 'status',
      header: t.columns.status,
      width: '7rem',
      cell: (user) => <UserStatusBadge status={user.status} />,
    },
    { id: 'group', header: t.columns.group, width: '6rem', from: 'large', cell: (user) => text(user.group) },
  ]
}

function usageColumns({ t }: ColumnParts): Column<User>[] {
  return [
    {
      id: 'quota',
      header: t.columns.quota,
      // Wide enough for every digit of a billion; a cut-off amount would be a different amount.
      width: '9rem',
      align: 'end',
      sortable: true,
      cell: (user) => <UserQuota user={user} />,
    },
    {
      id: 'used_quota',
      header: t.columns.usedQuota,
      width: '6.5rem',
      align: 'end',
      sortable: true,
      from: 'large',
      cell: (user) => <QuotaAmount quota={user.used_quota} />,
    },
    {
      id: 'request_count',
      header: t.columns.requests,
      width: '6rem',
      align: 'end',
      from: 'chosen',
      cell: (user) => formatCount(user.request_count),
    },
    {
      id: 'created_time',
      header: t.columns.created,
      width: '6.5rem',
      sortable: true,
      from: 'large',
      cell: (user) => <Time at={user.created_time} />,
    },
  ]
}

function text(value: string): ReactNode {
  return (
    <span data-tip={value} className="block truncate">
      {value}
    </span>
  )
}

export function UserStatusBadge({ status }: { status: number }) {
  const t = useTexts(userTexts)
  const enabled = status === USER_STATUS.enabled
  return <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? t.status.enabled : t.status.disabled}</Badge>
}

export function RoleName({ role }: { role: number }) {
  const t = useTexts(userTexts)
  const name = roleName(role)
  return name === 'user' ? <span className="text-muted">{t.role[name]}</span> : t.role[name]
}

function UserQuota({ user }: { user: User }) {
  const t = useTexts(userTexts)
  return (
    <span className="flex flex-col items-end gap-0.5">
      {isUnlimited(user.quota) ? <span className="text-muted">{t.unlimited}</span> : <QuotaAmount quota={user.quota} />}
      <BudgetMeter budgets={user.budgets} />
    </span>
  )
}

/** The remaining and the used quota, and the usage of the tightest budget, on one line of a card. */
export function QuotaLine({ user }: { user: User }) {
  const t = useTexts(userTexts)
  const quota = useTexts(quotaTexts)
  const display = useSystemStatus()
  const left = isUnlimited(user.quota) ? t.unlimited : t.left(formatQuota(user.quota, display))
  const line = `${left} · ${t.used(formatQuota(user.used_quota, display))}`
  const tightest = tightestBudget(user.budgets)
  if (tightest === undefined) return line
  return `${line} · ${quota.budgetShare(quota.budget[tightest.budget.period], Math.floor(tightest.share * 100))}`
}
