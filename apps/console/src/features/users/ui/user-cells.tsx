import { type User, USER_STATUS } from '@sluice/contract/user'
import { formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge } from '~/ui/badge.tsx'
import { BudgetMeter } from '~/ui/quota/budget-meter.tsx'
import { tightestBudget } from '~/ui/quota/budgets.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { isUnlimited, roleName } from '../model/user-form-values.ts'
import { userTexts } from '../texts/user-texts.ts'

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

/** What is left, above how much of the budgets is used. */
export function UserQuota({ user }: { user: User }) {
  const t = useTexts(userTexts)
  return (
    <span className="flex flex-col items-end gap-0.5">
      {isUnlimited(user.quota) ? <span className="text-muted">{t.unlimited}</span> : <QuotaAmount quota={user.quota} />}
      <BudgetMeter budgets={user.budgets} />
    </span>
  )
}

/** What is left and used, and how much of the tightest budget is used, on one line of a card. */
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
