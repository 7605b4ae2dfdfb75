import { HISTORY_RANGES, type HistoryRange } from '@sluice/contract/history-range'
import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import { useCommand } from '~/lib/commands.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { CallFailed, useCall } from '~/lib/http/call.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { Checkbox } from '~/ui/field.tsx'
import { FilterField } from '~/ui/filter-field.tsx'
import { RefreshIcon, ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { useSearchKey } from '~/ui/search-frame.tsx'
import { SEGMENT, SEGMENTS } from '~/ui/segments.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { channelStatusQuery, PAGE_SIZE } from '../calls.ts'
import { statusTexts } from '../texts/status-texts.ts'
import { ChannelCard } from './channel-card.tsx'

/** Pause between two refreshes, in milliseconds. */
const LOOK_MS = 30_000

/** Visitors can see this page too. It refreshes automatically without moving anything. */
export function StatusPage() {
  const t = useTexts(statusTexts)
  const search = useSearch({ from: '/public/status' })
  const navigate = useNavigate({ from: '/status' })
  const [auto, setAuto] = useState(true)
  const query = useQuery({
    ...channelStatusQuery(useCall(), search),
    placeholderData: keepPreviousData,
    refetchInterval: auto ? LOOK_MS : false,
  })
  const { data } = query
  const field = useSearchKey({ id: 'status.search', label: t.searchCommand, group: t.group })
  const typed = useRestingText(
    search.keyword,
    (keyword) => void navigate({ search: ({ range }) => ({ keyword, p: 0, range }), replace: true }),
  )
  const pages = Math.ceil((data?.total ?? 0) / PAGE_SIZE)

  useCommand({ id: 'status.refresh', label: t.refresh, group: t.group, keys: 'r', run: () => void query.refetch() })

  return (
    <Page title={t.title} subtitle={t.subtitle} width="flow">
      <SummaryCards summary={data?.summary} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <FilterField ref={field} label={t.search} typed={typed} />
        <RangeChoice
          range={search.range}
          onRange={(range) =>
            void navigate({ search: (old) => ({ ...old, range }), replace: true, resetScroll: false })
          }
        />
        <span className="grow max-md:hidden" />
        <Updated at={query.dataUpdatedAt} />
        <Checkbox label={t.autoRefresh} checked={auto} onChange={(event) => setAuto(event.target.checked)} />
        <IconButton label={t.refresh} tone="bordered" onClick={() => void query.refetch()}>
          <RefreshIcon />
        </IconButton>
      </div>
      {query.isError && <StatusFailure error={query.error} />}
      {data?.total === 0 && (
        <div role="status" className="border-line bg-surface rounded-lg border px-4 py-12 text-center">
          <p className="font-medium">{t.empty}</p>
          <p className="text-muted mt-1 text-sm">{search.keyword === '' ? t.nothingHint : t.emptyHint}</p>
        </div>
      )}
      {(data === undefined ? query.isPending : data.channels.length > 0) && (
        <ChannelCards channels={data?.channels} isStale={query.isPlaceholderData} />
      )}
      {pages > 1 && (
        <PageButtons
          current={search.p}
          pages={pages}
          onPage={(p) => void navigate({ search: (previous) => ({ ...previous, p }), resetScroll: false })}
        />
      )}
    </Page>
  )
}

interface ChannelCardsProps {
  readonly channels: readonly ChannelStatus[] | undefined
  /** Whether the channels are still those of the previous page. */
  readonly isStale: boolean
}

function ChannelCards({ channels, isStale }: ChannelCardsProps) {
  const t = useTexts(statusTexts)
  return (
    <ul
      aria-label={t.title}
      aria-busy={isStale}
      className={clsx('grid gap-3 transition-opacity md:grid-cols-2 xl:grid-cols-3', isStale && 'opacity-60 delay-300')}
    >
      {channels === undefined
        ? Array.from({ length: PAGE_SIZE }, (_, index) => <SkeletonCard key={index} />)
        : channels.map((channel, index) => <ChannelCard key={`${index} ${channel.name}`} channel={channel} />)}
    </ul>
  )
}

interface RangeChoiceProps {
  readonly range: HistoryRange
  readonly onRange: (range: HistoryRange) => void
}

function RangeChoice({ range, onRange }: RangeChoiceProps) {
  const t = useTexts(statusTexts)
  return (
    <fieldset className={SEGMENTS}>
      <legend className="sr-only">{t.history}</legend>
      {HISTORY_RANGES.map((one) => (
        <label key={one} className={SEGMENT}>
          <input type="radio" name="range" checked={range === one} onChange={() => onRange(one)} className="sr-only" />
          {t.ranges[one]}
        </label>
      ))}
    </fieldset>
  )
}

function Updated({ at }: { at: number }) {
  const t = useTexts(statusTexts)
  const locale = useLocale()
  if (at === 0) return null
  return (
    <span className="text-muted text-xs tabular-nums">
      {t.updated(new Date(at).toLocaleTimeString(locale, { hourCycle: 'h23' }))}
    </span>
  )
}

/** Why the server refused, or how the call failed. The last data stays visible below. */
function StatusFailure({ error }: { error: Error }) {
  const t = useTexts(statusTexts)
  const failure = error instanceof CallFailed ? error.failure : undefined
  if (failure?.kind === 'refused') return <Notice tone="bad">{t.refused(failure.message)}</Notice>
  const kind = failure?.kind === 'timeout' || failure?.kind === 'network' ? failure.kind : 'other'
  return <Notice tone="bad">{t.failed(t.errors[kind])}</Notice>
}

function SkeletonCard() {
  return (
    <li className="border-line bg-surface rounded-lg border p-4">
      <Skeleton className="h-36 w-full" />
    </li>
  )
}

interface PageButtonsProps {
  readonly current: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

function PageButtons({ current, pages, onPage }: PageButtonsProps) {
  const t = useTexts(statusTexts)
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-center gap-1">
      <IconButton label={t.previous} tone="bordered" disabled={current === 0} onClick={() => onPage(current - 1)}>
        <ChevronLeftIcon />
      </IconButton>
      {pageNumbers(current, pages).map((page) => (
        <button
          key={page}
          type="button"
          aria-label={t.page(formatCount(page + 1))}
          aria-current={page === current ? 'page' : undefined}
          onClick={() => onPage(page)}
          className="hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent h-8 min-w-8 rounded-md px-2 text-sm font-medium tabular-nums max-md:h-10 max-md:min-w-10"
        >
          {formatCount(page + 1)}
        </button>
      ))}
      <IconButton label={t.next} tone="bordered" disabled={current >= pages - 1} onClick={() => onPage(current + 1)}>
        <ChevronRightIcon />
      </IconButton>
    </nav>
  )
}

const MOST = 5

/** Pages, from 0, that have a button: at most five around the current one. */
export function pageNumbers(current: number, pages: number): readonly number[] {
  const count = Math.min(MOST, pages)
  const first = Math.max(0, Math.min(current - Math.floor(MOST / 2), pages - count))
  return Array.from({ length: count }, (_, index) => first + index)
}

function SummaryCards({ summary }: { summary: ChannelSummary | undefined }) {
  const t = useTexts(statusTexts)
  const average = summary?.average_response_ms ?? 0
  const figures = [
    [t.summary.channels, formatCount(summary?.channels ?? 0)],
    [t.summary.enabled, formatCount(summary?.enabled ?? 0)],
    [t.summary.manuallyDisabled, formatCount(summary?.manually_disabled ?? 0)],
    [t.summary.autoDisabled, formatCount(summary?.auto_disabled ?? 0)],
    [t.summary.response, average === 0 ? t.bands.none : formatLatency(average)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
      {figures.map(([name, figure]) => (
        <div key={name} className="border-line bg-surface rounded-lg border px-4 py-3 max-md:last:col-span-2">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="mt-1 text-lg leading-7 font-semibold tabular-nums">
            {summary === undefined ? <Skeleton className="h-7 w-12" /> : figure}
          </dd>
        </div>
      ))}
    </dl>
  )
}
