import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { abbreviateCount, formatQuota } from '~/lib/format/quota.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { dayNames } from '../model/formats.ts'
import { type LogFilter, logsOf, logsOfDay } from '../model/logs-of.ts'
import type { Day, DateRange } from '../model/range.ts'
import { type DayTotals, type Leader, leader, modelsInUse, peakDay } from '../model/summary.ts'
import { modelName, type ModelDay } from '../model/usage.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

interface HighlightsProps {
  readonly range: DateRange
  /** `undefined` while nothing has arrived yet. */
  readonly rows: readonly ModelDay[] | undefined
  readonly days: readonly DayTotals[]
  /** Whose logs the links show. */
  readonly scope: LogFilter
}

export function Highlights({ range, rows, days, scope }: HighlightsProps) {
  const t = useTexts(dashboardTexts)
  const display = useSystemStatus()
  const loading = rows === undefined
  const used = rows ?? []
  const busiest = peakDay(days, 'requests')
  const peak = peakDay(days, 'tokens')
  const leaders = [
    {
      name: t.mostRequests,
      leader: leader(used, 'requests'),
      write: (count: number) => t.requestCount(abbreviateCount(count)),
    },
    {
      name: t.mostTokens,
      leader: leader(used, 'tokens'),
      write: (count: number) => t.tokenCount(abbreviateCount(count)),
    },
    { name: t.highestCost, leader: leader(used, 'expenses'), write: (quota: number) => formatQuota(quota, display) },
  ]
  return (
    <div className="grid gap-3 xl:grid-cols-2">
      <FactCard title={t.topModels}>
        {leaders.map(({ name, leader, write }) => (
          <Fact key={name} name={name} loading={loading} detail={leader === undefined ? '' : write(leader.value)}>
            {leader === undefined ? t.noData : <ModelLink leader={leader} range={range} scope={scope} />}
          </Fact>
        ))}
      </FactCard>
      <FactCard title={t.highlights}>
        <Fact
          name={t.busiestDay}
          loading={loading}
          detail={busiest === undefined ? '' : t.requestCount(abbreviateCount(busiest.requests))}
        >
          {busiest === undefined ? t.noData : <DayLink day={busiest.day} scope={scope} />}
        </Fact>
        <Fact
          name={t.peakTokenDay}
          loading={loading}
          detail={peak === undefined ? '' : t.tokenCount(abbreviateCount(peak.tokens))}
        >
          {peak === undefined ? t.noData : <DayLink day={peak.day} scope={scope} />}
        </Fact>
        <Fact name={t.modelsInUse} loading={loading} detail={t.ofThePeriod}>
          {String(modelsInUse(used))}
        </Fact>
      </FactCard>
    </div>
  )
}

function FactCard({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="border-line bg-surface min-w-0 rounded-lg border px-4 py-3">
      <h2 id={titleId} className="mb-2 font-semibold">
        {title}
      </h2>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-3">{children}</dl>
    </section>
  )
}

interface FactProps {
  readonly name: string
  readonly loading: boolean
  readonly detail: string
  readonly children: ReactNode
}

function Fact({ name, loading, detail, children }: FactProps) {
  return (
    <div className="min-w-0 max-sm:flex max-sm:items-baseline max-sm:gap-3">
      <dt className="text-muted text-xs max-sm:w-28 max-sm:shrink-0">{name}</dt>
      {loading ? (
        <dd className="flex h-6 grow flex-col justify-center gap-2 sm:h-11">
          <Skeleton className="h-3.5 w-4/5" />
          <Skeleton className="h-3 w-2/5 max-sm:hidden" />
        </dd>
      ) : (
        <>
          <dd className="min-w-0 truncate leading-6 font-medium tabular-nums max-sm:grow">{children}</dd>
          <dd className="text-muted h-5 shrink-0 truncate text-xs leading-5 tabular-nums">{detail}</dd>
        </>
      )}
    </div>
  )
}

const LINK = 'hover:underline decoration-control underline-offset-2'

interface ModelLinkProps {
  readonly leader: Leader
  readonly range: DateRange
  readonly scope: LogFilter
}

function ModelLink({ leader, range, scope }: ModelLinkProps) {
  const t = useTexts(dashboardTexts)
  const name = modelName({ ModelName: leader.model }, t.names)
  if (leader.model === '') return name
  return (
    <Link
      to="/logs"
      search={logsOf(range, { ...scope, model: leader.model })}
      data-tip={t.showLogs(name)}
      className={LINK}
    >
      {name}
    </Link>
  )
}

function DayLink({ day, scope }: { day: Day; scope: LogFilter }) {
  const t = useTexts(dashboardTexts)
  const [name] = dayNames([day], useLocale())
  return (
    <Link to="/logs" search={logsOfDay(day, scope)} data-tip={t.showLogs(name?.long ?? day)} className={LINK}>
      {name?.short}
    </Link>
  )
}
