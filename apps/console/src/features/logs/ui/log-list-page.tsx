import type { Log } from '@sluice/contract/log'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
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
import { ListTable } from '~/ui/table/list-table.tsx'
import { logListQuery } from '../calls.ts'
import { logSearch } from '../model/filters/log-search.ts'
import type { LogFilters as Filters } from '../model/filters/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'
import { LogActions, LogStats } from './log-actions.tsx'
import { logColumns } from './log-columns.tsx'
import { LogFilters, type ShownFilters } from './log-filters.tsx'
import { hasTrace, LogCard, RowTime } from './log-row.tsx'
import { LogSearchField } from './log-search-field.tsx'
import { RowPanel } from './trace-panel.tsx'
import { FOLLOWING, useLogAddress } from './use-log-address.ts'

const LogHistogram = lazy(async () => ({ default: (await import('./log-histogram.tsx')).LogHistogram }))
const RunningCalls = lazy(async () => ({ default: (await import('./running-calls.tsx')).RunningCalls }))
const LiveList = lazy(async () => ({ default: (await import('./live-list.tsx')).LiveList }))

const NO_ROWS: readonly Log[] = []

export function LogListPage() {
  const t = useTexts(logTexts)
  const { search, filters, live, change } = useLogAddress()
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
  const sorted = live ? undefined : query.data?.sorted
  const columns = logColumns({ t, seesAll, roomy: !useIsBelow('large'), time: (row) => <RowTime row={row} /> })

  // A search ignores the filters, so applying them ends it.
  const onFilters = (next: Filters) => change({ ...next, keyword: '', p: 0 })
  const follow = () => change(live ? { live: false } : FOLLOWING)
  const onSearch = (keyword: string) => change({ keyword, p: 0 })

  useCommand({ id: 'logs.live', label: t.liveStart, group: t.group, run: follow })
  const toolbar = (
    <>
      <LogSearchField ref={searchField} value={search.keyword} onSearch={onSearch} />
      <p role="status" className="text-muted min-w-0 grow truncate text-sm max-md:empty:hidden">
        {search.keyword !== '' && t.searching(search.keyword)}
        {sorted !== undefined && t.sortedFirst(formatCount(sorted.first), formatCount(sorted.among))}
      </p>
      <Button aria-pressed={live} onClick={follow}>
        <LiveDot on={live} />
        {t.live}
      </Button>
      {!live && (
        <IconButton label={t.refresh} tone="bordered" onClick={() => void query.refetch()}>
          <RefreshIcon />
        </IconButton>
      )}
    </>
  )
  return (
    <Page
      title={t.title}
      actions={
        <LogActions
          search={search}
          seesAll={seesAll}
          stats={search.stats}
          onStats={(stats) => change({ stats })}
          form={form}
        />
      }
    >
      <LogFilters
        form={form}
        filters={filters}
        seesAll={seesAll}
        now={now}
        rows={rows}
        search={search}
        columns={columns.map(({ id }) => id)}
        onApply={onFilters}
        onSearch={onSearch}
        onView={(view) => {
          setViewed(viewed + 1)
          change({ ...v.parse(logSearch, view), id: undefined })
        }}
      />
      <ListRefusal error={query.error} />
      {search.keyword === '' && (
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
      )}
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
          <ListTable
            key={viewed}
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
          <RowPanel rows={rows} seesAll={seesAll} />
        </>
      )}
    </Page>
  )
}

/** Why the server refused to list the rows, for example a search for a single letter. */
function ListRefusal({ error }: { error: Error | null }) {
  const failure = error instanceof CallFailed ? error.failure : undefined
  if (failure === undefined || failure.message === '' || !isWorthTelling(failure)) return null
  return <Notice tone="bad">{failure.message}</Notice>
}

/** As high as the chart that is still loading. */
function ChartFallback({ shown }: { shown: boolean }): ReactNode {
  return <div className={shown ? 'border-line h-31 rounded-lg border' : 'border-line h-11 rounded-lg border'} />
}

function LiveDot({ on }: { on: boolean }) {
  return <span aria-hidden="true" className={on ? 'bg-good size-2 rounded-full' : 'bg-control size-2 rounded-full'} />
}
