import type { Log } from '@sluice/contract/log'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { lazy, type ReactNode, type Ref, Suspense, useRef, useState } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { CallFailed, isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { useSearchKey } from '~/ui/search-frame.tsx'
import { ListTable, type ListQueryState } from '~/ui/table/list-table.tsx'
import type { Column } from '~/ui/table/use-list-table.ts'
import { type LogPage, logListQuery } from '../calls.ts'
import { logSearch } from '../model/filters/log-search.ts'
import { logTexts } from '../texts/log-texts.ts'
import type { ShownFilters } from './filter-form.tsx'
import { LogActions, LogStats } from './log-actions.tsx'
import { logColumns } from './log-columns.tsx'
import { LogFilters } from './log-filters.tsx'
import { hasTrace, LogCard, RowTime } from './log-row.tsx'
import { LogSearchField } from './log-search-field.tsx'
import { RowPanel } from './trace-panel.tsx'
import { useLogAddress } from './use-log-address.ts'

const LogHistogram = lazy(async () => ({ default: (await import('./log-histogram.tsx')).LogHistogram }))
const RunningCalls = lazy(async () => ({ default: (await import('./running-calls.tsx')).RunningCalls }))
const LiveList = lazy(async () => ({ default: (await import('./live-list.tsx')).LiveList }))

const NO_ROWS: readonly Log[] = []

export function LogListPage() {
  const t = useTexts(logTexts)
  const { search, filters, live, change, follow } = useLogAddress()
  const { now } = useLoaderData({ from: '/protected/logs' })
  const seesAll = useCan('logs.all')
  const query = useQuery({
    ...logListQuery(useCall(), search, seesAll, Date.now),
    placeholderData: keepPreviousData,
    enabled: !live,
  })
  const searchField = useSearchKey({ id: 'logs.search', label: t.searchCommand, group: t.group })
  // A view includes its columns, which the table reads when it mounts.
  const [viewed, setViewed] = useState(0)
  const form = useRef<ShownFilters>(null)
  const rows = query.data?.rows ?? NO_ROWS
  const columns = logColumns({ t, seesAll, roomy: !useIsBelow('large'), time: (row) => <RowTime row={row} /> })

  useCommand({ id: 'logs.live', label: t.liveStart, group: t.group, run: follow })
  const toolbar = <LogToolbar ref={searchField} sorted={query.data?.sorted} onRefresh={() => void query.refetch()} />
  return (
    <Page title={t.title} actions={<LogActions seesAll={seesAll} form={form} />}>
      <LogFilters
        form={form}
        seesAll={seesAll}
        now={now}
        rows={rows}
        columns={columns.map(({ id }) => id)}
        onView={(view) => {
          setViewed(viewed + 1)
          change({ ...v.parse(logSearch, view), id: undefined })
        }}
      />
      <ListRefusal error={query.error} />
      {search.keyword === '' && <LogChart seesAll={seesAll} />}
      {search.stats && <LogStats filters={filters} seesAll={seesAll} />}
      {live ? (
        <Suspense>
          <RunningCalls seesAll={seesAll} />
          <LiveList
            key={JSON.stringify([filters, viewed])}
            search={search}
            seesAll={seesAll}
            columns={columns}
            toolbar={toolbar}
          />
        </Suspense>
      ) : (
        <>
          <LogTable key={viewed} query={query} columns={columns} toolbar={toolbar} />
          <RowPanel rows={rows} seesAll={seesAll} />
        </>
      )}
    </Page>
  )
}

interface LogToolbarProps {
  readonly ref: Ref<HTMLInputElement>
  /** How many rows were sorted; undefined for all of them. */
  readonly sorted: LogPage['sorted'] | undefined
  readonly onRefresh: () => void
}

function LogToolbar({ ref, sorted, onRefresh }: LogToolbarProps) {
  const t = useTexts(logTexts)
  const { search, live, change, follow } = useLogAddress()
  return (
    <>
      <LogSearchField ref={ref} value={search.keyword} onSearch={(keyword) => change({ keyword, p: 0 })} />
      <p role="status" className="text-muted min-w-0 grow truncate text-sm max-md:empty:hidden">
        {search.keyword !== '' && t.searching(search.keyword)}
        {!live && sorted !== undefined && t.sortedFirst(formatCount(sorted.first), formatCount(sorted.among))}
      </p>
      <Button aria-pressed={live} onClick={follow}>
        <LiveDot on={live} />
        {t.live}
      </Button>
      {!live && (
        <IconButton label={t.refresh} tone="bordered" onClick={onRefresh}>
          <RefreshIcon />
        </IconButton>
      )}
    </>
  )
}

/** Its code loads after the rows. */
function LogChart({ seesAll }: { seesAll: boolean }) {
  const { search, filters, live, change } = useLogAddress()
  return (
    <Suspense fallback={<ChartFallback shown={search.chart !== 'off'} />}>
      <LogHistogram
        filters={filters}
        seesAll={seesAll}
        chart={search.chart}
        onChart={(chart) => change({ chart }, true)}
        live={live}
        onWindow={({ start, end }) => change({ start, end, p: 0 })}
      />
    </Suspense>
  )
}

interface LogTableProps {
  readonly query: ListQueryState<Log>
  readonly columns: readonly Column<Log>[]
  readonly toolbar: ReactNode
}

function LogTable({ query, columns, toolbar }: LogTableProps) {
  const t = useTexts(logTexts)
  const { search, change } = useLogAddress()
  return (
    <ListTable
      name="logs"
      label={t.title}
      columns={columns}
      query={query}
      rowId={(row) => String(row.id)}
      search={search}
      onSearch={change}
      empty={t.empty}
      openId={search.id === undefined ? undefined : String(search.id)}
      onOpen={(row) => change({ id: row.id })}
      opens={hasTrace}
      toolbar={toolbar}
      card={(row) => <LogCard row={row} />}
    />
  )
}

/** Why the server refused, for example a search for a single letter. */
function ListRefusal({ error }: { error: Error | null }) {
  const failure = error instanceof CallFailed ? error.failure : undefined
  if (failure === undefined || failure.message === '' || !isWorthTelling(failure)) return null
  return <Notice tone="bad">{failure.message}</Notice>
}

function ChartFallback({ shown }: { shown: boolean }): ReactNode {
  return <div className={shown ? 'border-line h-31 rounded-lg border' : 'border-line h-11 rounded-lg border'} />
}

function LiveDot({ on }: { on: boolean }) {
  return <span aria-hidden="true" className={on ? 'bg-good size-2 rounded-full' : 'bg-control size-2 rounded-full'} />
}
