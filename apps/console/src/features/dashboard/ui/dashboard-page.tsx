import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { lazy, Suspense, useEffect, useState } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands.ts'
import { CallFailed, isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useCan, useUser } from '~/lib/session/session.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { ChartPlaceholder, PLOT_HEIGHT } from '~/ui/chart/chart-placeholder.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { dashboardUsersQuery } from '../calls.ts'
import { clockTime } from '../model/formats.ts'
import type { LogFilter } from '../model/logs-of.ts'
import { listDays, type DateRange, rangeOf, searchOf } from '../model/range.ts'
import type { DashboardSearch } from '../model/search.ts'
import { overview, totalsByDay } from '../model/summary.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'
import { AuditButton } from './audit-button.tsx'
import { DashboardFilters } from './dashboard-filters.tsx'
import { Highlights } from './highlights.tsx'
import { OverviewTiles } from './overview-tiles.tsx'
import { type Figures, useFigures } from './use-figures.ts'

const UsageCharts = lazy(async () => ({ default: (await import('./usage-charts.tsx')).UsageCharts }))
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps-card.tsx')).FirstSteps }))

export function DashboardPage() {
  const t = useTexts(dashboardTexts)
  const navigate = useNavigate({ from: '/dashboard' })
  const search = useSearch({ from: '/protected/dashboard' })
  const { today } = useLoaderData({ from: '/protected/dashboard' })
  const window = useCan('dashboard.anyUser') ? 'any' : 'own'
  const range = rangeOf(search, today)
  const autoRefresh = useAutoRefresh()
  const firstSteps = useFirstSteps()
  const figures = useFigures({ search, window, today, isRepeating: autoRefresh.on })
  const { query, shown } = figures
  useCommand({ id: 'dashboard.refresh', label: t.refresh, group: t.title, keys: 'r', run: () => void query.refetch() })

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
          <Updated figures={figures} />
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
      {query.isError && figures.isAsked && <Failure error={query.error} />}
      <FigureSections figures={figures} search={search} onMetric={(metric) => change({ metric })} />
      {firstSteps.wanted && query.isFetched && (
        <Suspense>
          <FirstSteps roomy={shown.logs.length === 0} onOver={firstSteps.onOver} />
        </Suspense>
      )}
      <RefreshOverlay refreshing={query.isFetching} />
    </Page>
  )
}

/** Takes up its line even while there are no figures. */
function Updated({ figures: { query, isCleared } }: { figures: Figures }) {
  const t = useTexts(dashboardTexts)
  const locale = useLocale()
  const isCurrent = !isCleared && query.isSuccess && !query.isPlaceholderData
  return (
    <p className="text-muted min-w-36 text-right text-sm tabular-nums">
      {isCurrent ? t.updated(clockTime(query.dataUpdatedAt, locale)) : '\u00a0'}
    </p>
  )
}

interface FigureSectionsProps {
  readonly figures: Figures
  readonly search: DashboardSearch
  readonly onMetric: (metric: DashboardSearch['metric']) => void
}

function FigureSections({ figures, search, onMetric }: FigureSectionsProps) {
  const t = useTexts(dashboardTexts)
  const { query, usage, shown, previous, before } = figures
  const scope = useLogScope(search.user)
  const days = listDays(shown.range.from, shown.range.to)
  const totals = totalsByDay(shown.logs, days)
  return (
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
        before={before && overview(totalsByDay(before.logs, listDays(before.range.from, before.range.to)))}
      />
      <Highlights range={shown.range} rows={usage?.logs} days={totals} scope={scope} />
      <Suspense fallback={<ChartPlaceholders />}>
        <UsageCharts
          usage={shown}
          days={days}
          totals={totals}
          scope={scope}
          metric={search.metric}
          onMetric={onMetric}
        />
      </Suspense>
      <p className="text-muted text-xs">{t.utc}</p>
    </div>
  )
}

/** The logs know the chosen user by name. */
function useLogScope(user: number | undefined): LogFilter {
  const seesAll = useCan('dashboard.anyUser')
  const users = useQuery({ ...dashboardUsersQuery(useCall()), enabled: seesAll }).data
  const username = seesAll ? users?.find(({ id }) => id === user)?.username : undefined
  return username === undefined ? {} : { username }
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

/** The old figures stay readable below it. Not shown for waits too short to notice. */
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

/** Maximum number of users whose choice is stored in one browser. */
const MOST_USERS = 20

/** Delay between the main content and the request for the checklist's code and data, in milliseconds. */
const AFTER_MS = 1_500

/** A user dismisses the checklist only once per browser. */
function useFirstSteps(): { readonly wanted: boolean; readonly onOver: () => void } {
  const id = useUser()?.id ?? 0
  const record = storedRecord(browserStorage(), STORAGE_KEYS.firstSteps, v.array(v.number()))
  const [over, setOver] = useState(() => record.read() ?? [])
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return {
    wanted: isTime && !over.includes(id),
    onOver: () => {
      const next = [id, ...over].slice(0, MOST_USERS)
      record.write(next)
      setOver(next)
    },
  }
}

function ChartPlaceholders() {
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-3">
        <ChartPlaceholder height={PLOT_HEIGHT.line} />
        <ChartPlaceholder height={PLOT_HEIGHT.line} />
        <ChartPlaceholder height={PLOT_HEIGHT.line} />
      </div>
      <ChartPlaceholder height={PLOT_HEIGHT.bars} />
      <div className="grid gap-3 xl:grid-cols-2">
        <ChartPlaceholder height={PLOT_HEIGHT.bars} />
        <ChartPlaceholder height={PLOT_HEIGHT.bars} />
      </div>
    </>
  )
}

function useAutoRefresh() {
  const record = storedRecord(browserStorage(), STORAGE_KEYS.autoRefresh, v.boolean())
  const [on, setOn] = useState(() => record.read() ?? false)
  const set = (next: boolean) => {
    record.write(next)
    setOn(next)
  }
  return { on, set }
}

function AutoRefreshSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const t = useTexts(dashboardTexts)
  return (
    <label
      className="text-muted flex min-h-7 items-center gap-1.5 text-sm pointer-coarse:min-h-11"
      data-tip={t.autoRefreshTip}
    >
      <input
        type="checkbox"
        className="accent-accent-solid size-4"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
      {t.autoRefresh}
    </label>
  )
}
