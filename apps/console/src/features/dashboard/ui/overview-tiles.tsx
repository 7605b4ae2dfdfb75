import { useId } from 'react'
import { abbreviateCount, formatCount, formatQuota } from '../../../lib/format/quota.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Overview } from '../model/summary.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

/** The four totals of the period; `undefined` while nothing has arrived yet. */
export function OverviewTiles({ overview }: { overview: Overview | undefined }) {
  const t = useTexts(dashboardTexts)
  const display = useSystemStatus()
  const titleId = useId()
  const { total, perDay, costPerRequest, dailyCostPerRequest } = overview ?? {}
  const tiles = [
    { name: t.totalRequests, ...count(total?.requests, perDay?.requests) },
    {
      name: t.quotaUsed,
      value: formatQuota(total?.expenses ?? 0, display),
      exact: formatQuota(total?.expenses ?? 0, display, 6),
      daily: formatQuota(perDay?.expenses ?? 0, display),
    },
    { name: t.tokensConsumed, ...count(total?.tokens, perDay?.tokens) },
    {
      name: t.costPerRequest,
      value: formatQuota(costPerRequest ?? 0, display, 4),
      exact: formatQuota(costPerRequest ?? 0, display, 6),
      daily: formatQuota(dailyCostPerRequest ?? 0, display, 4),
    },
  ]
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="mb-2 font-semibold">
        {t.overview}
      </h2>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {tiles.map(({ name, value, exact, daily }) => (
          <div key={name} className="border-line bg-surface min-w-0 rounded-lg border px-4 py-3">
            <dt className="text-muted truncate text-sm">{name}</dt>
            {overview === undefined ? (
              <dd className="flex h-13 flex-col justify-center gap-2">
                <Skeleton className="h-5 w-3/5" />
                <Skeleton className="h-3 w-4/5" />
              </dd>
            ) : (
              <>
                <dd className="truncate text-2xl leading-8 font-semibold tracking-tight tabular-nums" data-tip={exact}>
                  {value}
                </dd>
                <dd className="text-muted text-xs leading-5 tabular-nums">{t.dailyAverage(daily)}</dd>
              </>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}

function count(total = 0, perDay = 0): { value: string; exact: string; daily: string } {
  return {
    value: abbreviateCount(total),
    exact: formatCount(total),
    daily: abbreviateCount(Math.round(perDay * 10) / 10),
  }
}
