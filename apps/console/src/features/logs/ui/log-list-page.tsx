import type { Log } from '@sluice/contract/log'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useCommand } from '../../../lib/commands/use-commands.ts'
import { formatDateTime, localZone } from '../../../lib/format/date.ts'
import { formatCount } from '../../../lib/format/quota.ts'
import { CallFailed, isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useCan } from '../../../lib/session/use-session.ts'
import { IconButton } from '../../../ui/button.tsx'
import { RefreshIcon } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { ListCard } from '../../../ui/table/card-list.tsx'
import { ListTable } from '../../../ui/table/list-table.tsx'
import { logListQuery } from '../api/log-list.ts'
import type { LogSearch } from '../model/log-search.ts'
import { isRequest } from '../model/log-type.ts'
import type { LogFilters as Filters } from '../model/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'
import { LogActions } from './log-actions.tsx'
import { Latency, Quota, TypeBadge } from './log-cells.tsx'
import { logColumns } from './log-columns.tsx'
import { LogFilters } from './log-filters.tsx'
import { LogSearchField } from './log-search-field.tsx'
import { LogStats } from './log-stats.tsx'
import { TracePanel } from './trace-panel.tsx'

const NO_ROWS: readonly Log[] = []

export function LogListPage() {
  const t = useTexts(logTexts)
  const navigate = useNavigate({ from: '/logs' })
  const search = useSearch({ from: '/protected/logs' })
  const { now } = useLoaderData({ from: '/protected/logs' })
  const seesAll = useCan('logs.all')
  const query = useQuery({ ...logListQuery(useCall(), search, seesAll, Date.now), placeholderData: keepPreviousData })
  const searchField = useRef<HTMLInputElement>(null)
  const filters = filtersIn(search)
  const rows = query.data?.rows ?? NO_ROWS
  const at = rows.findIndex((row) => row.id === search.id)

  const change = (part: Partial<LogSearch>, replace = false) =>
    void navigate({ search: (previous) => ({ ...previous, ...part }), replace })
  // A search sets the filters aside, so applying them ends it.
  const onFilters = (next: Filters) => change({ ...next, keyword: '', p: 0 })
  const stepTo = (row: Log | undefined) => (row === undefined ? undefined : () => change({ id: row.id }, true))

  useCommand({
    id: 'logs.search',
    label: t.searchCommand,
    group: t.group,
    keys: '/',
    run: () => searchField.current?.focus(),
  })
  return (
    <Page
      title={t.title}
      actions={
        <LogActions search={search} seesAll={seesAll} stats={search.stats} onStats={(stats) => change({ stats })} />
      }
    >
      <LogFilters filters={filters} seesAll={seesAll} now={now} onApply={onFilters} />
      <ListRefusal error={query.error} />
      {search.stats && <LogStats filters={filters} seesAll={seesAll} />}
      <ListTable
        name="logs"
        label={t.title}
        columns={logColumns({ t, seesAll, time: (row) => <RowTime row={row} /> })}
        query={query}
        rowId={(row) => String(row.id)}
        search={search}
        onSearch={change}
        empty={t.empty}
        openId={search.id === undefined ? undefined : String(search.id)}
        onOpen={(row) => change({ id: row.id })}
        opens={hasTrace}
        toolbar={
          <>
            <LogSearchField
              ref={searchField}
              value={search.keyword}
              onSearch={(keyword) => change({ keyword, p: 0 })}
            />
            <p role="status" className="text-muted min-w-0 grow truncate text-sm max-md:empty:hidden">
              {search.keyword !== '' && t.searching(search.keyword)}
            </p>
            <IconButton label={t.refresh} tone="bordered" onClick={() => void query.refetch()}>
              <RefreshIcon />
            </IconButton>
          </>
        }
        card={(row) => <LogCard row={row} />}
      />
      {search.id !== undefined && (
        <TracePanel
          id={search.id}
          row={rows[at]}
          seesAll={seesAll}
          onClose={() => change({ id: undefined })}
          onPrevious={stepTo(rows[at - 1])}
          onNext={at < 0 ? undefined : stepTo(rows[at + 1])}
        />
      )}
    </Page>
  )
}

/** Why the server would not list what was asked for, such as sorting a window that is too long. */
function ListRefusal({ error }: { error: Error | null }) {
  const failure = error instanceof CallFailed ? error.failure : undefined
  if (failure === undefined || failure.message === '' || !isWorthTelling(failure)) return null
  return <Notice tone="bad">{failure.message}</Notice>
}

function filtersIn({ type, model, token, username, channel, start, end }: LogSearch): Filters {
  return { type, model, token, username, channel, start, end }
}

function hasTrace(row: Log): boolean {
  return row.trace_id.trim() !== ''
}

/** When it happened, to the second; where there is a trace, the way to it. */
function RowTime({ row }: { row: Log }) {
  const t = useTexts(logTexts)
  const time = formatDateTime(row.created_at)
  const shown = (
    <time dateTime={new Date(row.created_at * 1_000).toISOString()} data-tip={localZone()} className="tabular-nums">
      {time}
    </time>
  )
  if (!hasTrace(row)) return shown
  return (
    <Link
      from="/logs"
      search={(previous) => ({ ...previous, id: row.id })}
      aria-label={t.openTrace(time)}
      className="hover:underline"
    >
      {shown}
    </Link>
  )
}

/** One row on a phone: what, when and how much. */
function LogCard({ row }: { row: Log }) {
  const t = useTexts(logTexts)
  return (
    <ListCard
      title={row.model_name || row.content || row.username}
      badge={<TypeBadge type={row.type} />}
      details={
        <>
          <RowTime row={row} />
          <Quota row={row} />
          {isRequest(row.type) && (
            <span>
              {t.tokensIn(formatCount(row.prompt_tokens))} · {t.tokensOut(formatCount(row.completion_tokens))}
            </span>
          )}
        </>
      }
      menu={
        isRequest(row.type) && (
          <span className="mr-1.5">
            <Latency row={row} />
          </span>
        )
      }
    />
  )
}
