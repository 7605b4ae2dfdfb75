import type { Budget } from '@sluice/contract/budget'
import type { User } from '@sluice/contract/user'
import { clsx } from 'clsx'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatQuota, formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { tightestBudget } from './budgets.ts'
import { quotaTexts } from './texts/quota-texts.ts'

/** From this share on, a budget counts as nearly used up. */
const SHORT = 0.8

/** A bar for the tightest budget, with all budgets in the tooltip. Hidden without budgets. */
export function BudgetMeter({ budgets }: { readonly budgets: readonly Budget[] }) {
  const lineOf = useBudgetLine()
  const tightest = tightestBudget(budgets)
  if (tightest === undefined) return null
  const { share } = tightest
  const lines = budgets.map(lineOf)
  return (
    <span
      role="img"
      aria-label={lines.join('\n')}
      data-tip={lines.join('\n')}
      className="bg-line block h-1 w-16 overflow-hidden rounded-full"
    >
      <span
        className={clsx('block h-full', share >= 1 ? 'bg-bad' : share >= SHORT ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
    </span>
  )
}

export function BudgetLines({ budgets }: { readonly budgets: readonly Budget[] }) {
  const lineOf = useBudgetLine()
  if (budgets.length === 0) return null
  return (
    <ul className="text-sm tabular-nums">
      {budgets.map((budget) => (
        <li key={budget.period}>{lineOf(budget)}</li>
      ))}
    </ul>
  )
}

function useBudgetLine(): (budget: Budget) => string {
  const t = useTexts(quotaTexts)
  const display = useSystemStatus()
  return ({ period, quota, used_quota: used, resets_time: resets }) =>
    t.budgetLine(t.budget[period], formatQuota(used, display), formatQuota(quota, display), formatDateTime(resets))
}

/** Quota used at another gateway before the import; undefined when that is nothing. */
export function useUsedBefore({
  used_quota_before: used = 0,
  request_count_before: requests = 0,
}: Pick<User, 'used_quota_before' | 'request_count_before'>):
  | { readonly name: string; readonly text: string }
  | undefined {
  const t = useTexts(quotaTexts)
  const display = useSystemStatus()
  if (used === 0 && requests === 0) return undefined
  return { name: t.beforeMove, text: t.usedBefore(formatQuota(used, display), formatCount(requests)) }
}
