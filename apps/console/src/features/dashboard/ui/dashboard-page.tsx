import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { lazy, Suspense } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { CallFailed, isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/use-session.ts'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { dashboardUsersQuery, usageQuery } from '../calls.ts'
import { comparableRange } from '../model/comparison.ts'
import { listDays } from '../model/days.ts'
import { clockTime } from '../model/formats.ts'
import type { LogFilter } from '../model/logs-of.ts'
import { type DateRange, defaultRange } from '../model/range.ts'
import type { DashboardSearch } from '../model/search.ts'
import { overview, totalsByDay } from '../model/summary.ts'
import { rangeOf, requestOf, searchOf } from '../model/usage-request.ts'
import type { RangeUsage } from '../model/usage.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'
import { AuditButton } from './audit-button.tsx'
import { AUTO_REFRESH_MS, AutoRefreshSwitch, useAutoRefresh } from './auto-refresh.tsx'
import { ChartPlaceholders } from './chart-placeholders.tsx'
import { DashboardFilters } from './dashboard-filters.tsx'
import { Highlights } from './highlights.tsx'
import { OverviewTiles } from './overview-tiles.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const UsageCharts = lazy(async () => ({ default: (await import('./usage-charts.tsx')).UsageCharts }))
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps-card.tsx')).FirstSteps }))

/** How long the data of the previous period is trusted: its days are over, and only late charges can still be added. */
const PAST_FRESH_MS = 5 * 60_000

export function DashboardPage() {
  const t = useTexts(dashboardTexts)
  const locale = useLocale()
  const navigate = useNavigate({ from: '/dashboard' })
  const search = useSearch({ from: '/protected/dashboard' })
  const { today } = useLoaderData({ from: '/protected/dashboard' })
  const window = useCan('dashboard.anyUser') ? 'any' : 'own'
  const range = rangeOf(search, today)
  const autoRefresh = useAutoRefresh()
  const firstSteps = useFirstSteps()
  const request = requestOf(search, window, today)
  const call = useCall()
  const query = useQuery({
    ...usageQuery(call, request?.range ?? defaultRange(today), request?.user ?? ''),
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: autoRefresh.on ? AUTO_REFRESH_MS : false,
  })
  // A failure or an invalid range clears the old data: it would belong to another request.
  const cleared = query.isError || request === undefined
  const usage = cleared ? noUsage(request?.range ?? defaultRange(today)) : query.data
  const shown = usage ?? noUsage(defaultRange(today))
  const days = listDays(shown.range.from, shown.range.to)
  const totals = totalsByDay(shown.logs, days)
  const scope = useLogScope(search.user)
  useCommand({ id: 'dashboard.refresh', label: t.refresh, group: t.title, keys: 'r', run: () => void query.refetch() })
  const previous = comparableRange(shown.range, window, today)
  // Fetched after the data that it is compared with, which the user is waiting for.
  const before = useQuery({
    ...usageQuery(call, previous ?? shown.range, request?.user ?? ''),
    enabled: query.isSuccess && !cleared && previous !== undefined,
    staleTime: PAST_FRESH_MS,
  })
  const past = previous === undefined || cleared ? undefined : before.data

  const change = (part: Partial<DashboardSearch>, replace = false) =>
    void navigate({ search: (current) => ({ ...current, ...part }), replace, resetScroll: false })
  const onRange = (next: DateRange) => {
    if (next.from === range.from && next.to === range.to) void query.refetch()
    else change(searchOf(next, today))
  }
  return (
    <Page
      width="flow"
      title={t.title}
      actions={
        <>
          <p className="text-muted min-w-36 text-right text-sm tabular-nums">
            {!cleared && query.isSuccess && !query.isPlaceholderData
              ? t.updated(clockTime(query.dataUpdatedAt, locale))
              : '\u00a0'}
          </p>
          <AutoRefreshSwitch on={autoRefresh.on} onChange={autoRefresh.set} />
          <AuditButton open={search.audit} onOpen={(audit) => change({ audit })} />
        </>
      }
    >
      <DashboardFilters
        range={range}
        user={search.user}
        window={window}
        today={today}
        onRange={onRange}
        onTypedRange={(next) => change(searchOf(next, today), true)}
        onUser={(user) => change({ user })}
      />
      {query.isError && request !== undefined && <Failure error={query.error} />}
      <div
        aria-busy={query.isFetching}
        className={clsx('flex flex-col gap-3 transition-opacity', query.isFetching && 'opacity-50 delay-200')}
      >
        <OverviewTiles
          overview={usage === undefined ? undefined : overview(totals)}
          days={totals}
          range={shown.range}
          scope={scope}
          previous={previous}
          before={past && overview(totalsByDay(past.logs, listDays(past.range.from, past.range.to)))}
        />
        <Highlights range={shown.range} rows={usage?.logs} days={totals} scope={scope} />
        <Suspense fallback={<ChartPlaceholders />}>
          <UsageCharts
            usage={shown}
            days={days}
            totals={totals}
            scope={scope}
            metric={search.metric}
            onMetric={(metric) => change({ metric })}
          />
        </Suspense>
        <p className="text-muted text-xs">{t.utc}</p>
      </div>
      {firstSteps.wanted && query.isFetched && (
        <Suspense>
          <FirstSteps roomy={shown.logs.length === 0} onOver={firstSteps.onOver} />
        </Suspense>
      )}
      <RefreshOverlay refreshing={query.isFetching} />
    </Page>
  )
}

/** Whose logs the figures link to: those of the chosen user, whom the logs know by name. */
function useLogScope(user: number | undefined): LogFilter {
  const seesAll = useCan('dashboard.anyUser')
  const users = useQuery({ ...dashboardUsersQuery(useCall()), enabled: seesAll }).data
  const username = seesAll ? users?.find(({ id }) => id === user)?.username : undefined
  return username === undefined ? {} : { username }
}

function noUsage(range: DateRange): RangeUsage {
  return { range, logs: [], user_logs: [], token_logs: [] }
}

function Failure({ error }: { error: Error }) {
  const t = useTexts(dashboardTexts)
  const failure = error instanceof CallFailed ? error.failure : undefined
  if (failure !== undefined && !isWorthTelling(failure)) return null
  return (
    <Notice tone="bad">
      <p>{t.failed}</p>
      {failure !== undefined && failure.message !== '' && <p>{failure.message}</p>}
    </Notice>
  )
}

/** Covers the whole window, while the old figures stay readable below it; not shown for waits too short to notice. */
function RefreshOverlay({ refreshing }: { refreshing: boolean }) {
  const t = useTexts(dashboardTexts)
  return (
    <div role="status" className="pointer-events-none fixed inset-0 z-20 grid place-items-center empty:hidden">
      {refreshing && (
        <p className="bg-raised border-line shadow-float appear-late rounded-full border px-4 py-2 text-sm font-medium">
          {t.refreshing}
        </p>
      )}
    </div>
  )
}
