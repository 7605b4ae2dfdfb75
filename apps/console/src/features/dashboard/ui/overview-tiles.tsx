import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useId } from 'react'
import { abbreviateCount, formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { dayNames, formatChange } from '../model/formats.ts'
import { type LogFilter, logsOf } from '../model/logs-of.ts'
import type { DateRange } from '../model/range.ts'
import { change, type DayTotals, type Overview } from '../model/summary.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

interface OverviewTilesProps {
  /** `undefined` while nothing has arrived yet. */
  readonly overview: Overview | undefined
  readonly days: readonly DayTotals[]
  readonly range: DateRange
  /** Whose logs the figures link to. */
  readonly scope: LogFilter
  /** `undefined` when the previous period is outside the range that may be requested. */
  readonly previous: DateRange | undefined
  /** `undefined` until the totals arrive. */
  readonly before: Overview | undefined
}

export function OverviewTiles(props: OverviewTilesProps) {
  const { overview, range, scope, previous, before } = props
  const t = useTexts(dashboardTexts)
  const titleId = useId()
  const tiles = useTiles(props)
  return (
    <section aria-labelledby={titleId}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={titleId} className="font-semibold">
          {t.overview}
        </h2>
        <Compared previous={previous} />
      </div>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {tiles.map((tile) => (
          <div
            key={tile.name}
            className="border-line bg-surface has-[a:hover]:border-control relative min-w-0 rounded-lg border px-4 py-3 transition-colors"
          >
            <dt className="text-muted text-sm">{tile.name}</dt>
            {overview === undefined ? (
              <TileSkeleton isCompared={previous !== undefined} />
            ) : (
              <TileFigures
                tile={tile}
                search={{ ...logsOf(range, scope), sort: tile.sort ?? '' }}
                comparison={previous === undefined ? 'none' : before === undefined ? 'awaited' : 'known'}
              />
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}

interface Tile {
  readonly name: string
  readonly value: string
  readonly exact: string
  readonly daily: string
  /** As a fraction; undefined when there was nothing to compare with. */
  readonly change: number | undefined
  /** One value per day. */
  readonly course: readonly number[]
  /** Column by which the logs are sorted. */
  readonly sort?: string
}

function useTiles({ overview, days, before }: OverviewTilesProps): readonly Tile[] {
  const t = useTexts(dashboardTexts)
  const display = useSystemStatus()
  const { total, perDay, costPerRequest, dailyCostPerRequest } = overview ?? {}
  return [
    {
      name: t.totalRequests,
      ...count(total?.requests, perDay?.requests),
      change: changeOf(total?.requests, before?.total.requests),
      course: days.map(({ requests }) => requests),
    },
    {
      name: t.quotaUsed,
      value: formatQuota(total?.expenses ?? 0, display),
      exact: formatQuota(total?.expenses ?? 0, display, 6),
      daily: formatQuota(perDay?.expenses ?? 0, display),
      change: changeOf(total?.expenses, before?.total.expenses),
      course: days.map(({ expenses }) => expenses),
      sort: 'quota',
    },
    {
      name: t.tokensConsumed,
      ...count(total?.tokens, perDay?.tokens),
      change: changeOf(total?.tokens, before?.total.tokens),
      course: days.map(({ tokens }) => tokens),
      sort: 'completion_tokens',
    },
    {
      name: t.costPerRequest,
      value: formatQuota(costPerRequest ?? 0, display, 4),
      exact: formatQuota(costPerRequest ?? 0, display, 6),
      daily: formatQuota(dailyCostPerRequest ?? 0, display, 4),
      change: changeOf(costPerRequest, before?.costPerRequest),
      course: days.map(({ expenses, requests }) => (requests === 0 ? 0 : expenses / requests)),
      sort: 'quota',
    },
  ]
}

function TileSkeleton({ isCompared }: { isCompared: boolean }) {
  return (
    <dd className={clsx('flex flex-col justify-center gap-2', isCompared ? 'h-18 max-xl:h-23' : 'h-13')}>
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-3 w-4/5" />
    </dd>
  )
}

interface TileFiguresProps {
  readonly tile: Tile
  readonly search: ReturnType<typeof logsOf> & { readonly sort: string }
  readonly comparison: 'none' | 'awaited' | 'known'
}

function TileFigures({ tile, search, comparison }: TileFiguresProps) {
  const t = useTexts(dashboardTexts)
  const { name, value, exact, daily, change: changed, course } = tile
  return (
    <>
      <dd className="flex items-center justify-between gap-2">
        <Link
          to="/logs"
          search={search}
          aria-label={`${value} – ${t.showLogs(name)}`}
          data-tip={exact}
          className="truncate text-2xl leading-8 max-sm:text-xl max-sm:leading-8 font-semibold tracking-tight tabular-nums after:absolute after:inset-0 after:rounded-lg"
        >
          {value}
        </Link>
        <span className="max-sm:hidden lg:max-xl:hidden">
          <Sparkline values={course} />
        </span>
      </dd>
      <dd className="text-muted text-xs leading-5 tabular-nums">{t.dailyAverage(daily)}</dd>
      {comparison !== 'none' && (
        <dd className="text-muted min-h-5 text-xs leading-5 tabular-nums max-xl:min-h-10">
          {comparison === 'known' && (changed === undefined ? t.nothingBefore : t.changed(formatChange(changed)))}
        </dd>
      )}
    </>
  )
}

function Compared({ previous }: { previous: DateRange | undefined }) {
  const t = useTexts(dashboardTexts)
  const [from, to] = dayNames(previous === undefined ? [] : [previous.from, previous.to], useLocale())
  const words = from === undefined || to === undefined ? t.notComparable : t.comparedWith(from.short, to.short)
  return <p className="text-muted text-xs">{words}</p>
}

function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  return now === undefined || before === undefined ? undefined : change(now, before)
}

function count(total = 0, perDay = 0): { value: string; exact: string; daily: string } {
  return {
    value: abbreviateCount(total),
    exact: formatCount(total),
    daily: abbreviateCount(Math.round(perDay * 10) / 10),
  }
}

interface SparklineProps {
  readonly values: readonly number[]
}

const WIDTH = 72
const HEIGHT = 24

function Sparkline({ values }: SparklineProps) {
  const max = Math.max(...values)
  if (values.length < 2 || max <= 0) return null
  const x = (index: number) => ((index / (values.length - 1)) * (WIDTH - 2) + 1).toFixed(1)
  const y = (value: number) => (HEIGHT - 2 - (value / max) * (HEIGHT - 4)).toFixed(1)
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('')
  return (
    <svg aria-hidden="true" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="shrink-0">
      <path d={`${line}V${HEIGHT}H1z`} className="fill-accent/10" />
      <path d={line} fill="none" strokeWidth="1.5" strokeLinejoin="round" className="stroke-accent" />
    </svg>
  )
}
