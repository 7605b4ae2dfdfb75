import { clearLogs } from '@sluice/contract/routes/logs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { RefObject } from 'react'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button, buttonClass, Spinner, IconButton } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useChange } from '~/ui/use-change.ts'
import { LOGS, logStatQuery } from '../calls.ts'
import { clearingEnd, type LogFilters } from '../model/filters/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'
import type { ShownFilters } from './filter-form.tsx'
import { useLogAddress } from './use-log-address.ts'
import { useExport, useLogExport } from './use-log-export.ts'

interface LogActionsProps {
  readonly seesAll: boolean
  /** Null while the form is collapsed. */
  readonly form: RefObject<ShownFilters | null>
}

export function LogActions({ seesAll, form }: LogActionsProps) {
  const { search, change } = useLogAddress()
  const { stats } = search
  const t = useTexts(logTexts)
  const receipts = useTexts(receiptTexts)
  const { running, start, cancel } = useExport()
  const { rows, charges } = useLogExport(search, seesAll)
  const clear = useClearUntil()
  const canClear = useCan('logs.clear')
  const clearShown = () => {
    const shown = form.current === null ? search : form.current.read()
    if (shown !== undefined) clear(shown)
  }
  return (
    <>
      <span role="status" className="text-muted flex items-center gap-2 text-sm tabular-nums empty:hidden">
        {running !== undefined && (
          <>
            {running.total === 0 ? (
              <Spinner />
            ) : (
              <progress
                aria-label={t.exportStarting}
                max={running.total}
                value={running.done}
                className="accent-accent-solid h-2 w-24"
              />
            )}
            {running.total === 0
              ? t.exportStarting
              : t.exportProgress(formatCount(running.done), formatCount(running.total))}
          </>
        )}
      </span>
      <Link to="/sessions" className={buttonClass()}>
        {t.sessions}
      </Link>
      {running === undefined ? (
        <>
          <Button onClick={() => void start(rows)}>{t.exportCsv}</Button>
          {/* A search ignores the filters, and only filters can find charges. */}
          {search.keyword === '' && <Button onClick={() => void start(charges)}>{receipts.exportCharges}</Button>}
        </>
      ) : (
        <Button onClick={cancel}>{t.exportCancel}</Button>
      )}
      <Button aria-expanded={stats} onClick={() => change({ stats: !stats })}>
        {stats ? t.hideStats : t.showStats}
      </Button>
      {canClear && <Button onClick={clearShown}>{t.clear}</Button>}
    </>
  )
}

/** Asks, then deletes everyone's logs before the filters' end time; ignores the other filters. Needs `logs.clear`. */
function useClearUntil(): (filters: Pick<LogFilters, 'end'>) => void {
  const t = useTexts(logTexts)
  const call = useCall()
  const confirm = useConfirm()
  const clearing = useChange({
    send: (end: number) => call(clearLogs, { query: { target_timestamp: String(end) } }),
    failed: t.clearFailed,
    done: ({ data }) => ({ title: t.cleared(formatCount(data)) }),
    stale: [LOGS],
  })
  return (filters) => {
    const { end, isNow } = clearingEnd(filters, Date.now())
    const run = () => clearing.run(end)
    const text = (isNow ? t.clearAllText : t.clearText)(formatDateTime(end))
    confirm({ title: t.clearTitle, text, confirm: t.clear, busy: t.clearBusy, danger: true, run })
  }
}

export function LogStats({ filters, seesAll }: { filters: LogFilters; seesAll: boolean }) {
  const t = useTexts(logTexts)
  const display = useSystemStatus()
  const query = useQuery({
    ...logStatQuery(useCall(), filters, seesAll, Date.now),
    placeholderData: keepPreviousData,
  })
  return (
    <section
      aria-label={t.totalQuota}
      aria-busy={query.isFetching}
      className="border-line bg-surface flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-4 py-1.5"
    >
      <span className="text-muted text-sm">{t.totalQuota}</span>
      {query.isError ? (
        <span role="alert" className="text-bad text-sm">
          {t.statsFailed}
        </span>
      ) : query.data === undefined ? (
        <Skeleton className="h-4 w-40" />
      ) : (
        <p
          role="status"
          className={clsx(
            'flex flex-wrap items-baseline gap-x-3 tabular-nums',
            query.isPlaceholderData && 'opacity-60',
          )}
        >
          <span className="text-lg font-semibold">{formatQuota(query.data, display)}</span>
          <span className="text-muted text-sm">
            {t.points(formatCount(query.data))}
            <span className="max-sm:hidden"> · {t.underFilters}</span>
          </span>
        </p>
      )}
      <span className="ml-auto">
        <IconButton label={t.refreshStats} onClick={() => void query.refetch()}>
          <RefreshIcon />
        </IconButton>
      </span>
    </section>
  )
}
