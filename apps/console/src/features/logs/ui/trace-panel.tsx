import type { Log, Trace } from '@sluice/contract/log'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useCommand, useShortcutsEnabled } from '~/lib/commands.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { useStore } from '~/lib/store.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { logReceiptQuery, logTraceQuery } from '../calls.ts'
import { curlOf } from '../model/request/curl.ts'
import { logTexts } from '../texts/log-texts.ts'
import { Receipt } from './receipt.tsx'
import { RowCharge, RowContent, RowSubjects } from './row-charge.tsx'
import { COPIED_MS, RequestInfo, StageTimeline } from './trace-details.tsx'
import { useLogAddress } from './use-log-address.ts'

const loadRouting = () => import('./routing-and-attempts.tsx')
const RoutingAndAttempts = lazy(async () => ({ default: (await loadRouting()).RoutingAndAttempts }))

interface TracePanelProps {
  readonly id: number
  /** Undefined when a shared address opens the panel of a row that is not listed. */
  readonly row: Log | undefined
  readonly seesAll: boolean
  readonly onClose: () => void
  /** Opens the row above or below; absent at the ends of the list. */
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

function TracePanel({ id, row, seesAll, onClose, onPrevious, onNext }: TracePanelProps) {
  const t = useTexts(logTexts)
  useCommand({ id: 'logs.next', label: t.nextRow, group: t.group, keys: 'j', run: () => onNext?.() })
  useCommand({ id: 'logs.previous', label: t.previousRow, group: t.group, keys: 'k', run: () => onPrevious?.() })
  useArrowSteps(onPrevious, onNext)
  // Loaded along with the trace, so that nothing moves when it is drawn.
  useEffect(() => void loadRouting(), [])
  return (
    <Panel
      title={t.traceTitle}
      subtitle={
        <span role="status" className="wrap-anywhere">
          {row === undefined ? `#${id}` : [formatDateTime(row.created_at), row.model_name].filter(Boolean).join(' · ')}
        </span>
      }
      onClose={onClose}
      footer={
        <>
          <Button aria-keyshortcuts="k" disabled={onPrevious === undefined} onClick={onPrevious}>
            {t.previousRow}
          </Button>
          <Button aria-keyshortcuts="j" disabled={onNext === undefined} onClick={onNext}>
            {t.nextRow}
          </Button>
        </>
      }
    >
      {row !== undefined && row.trace_id === '' ? (
        <Notice tone="info">{t.noTrace}</Notice>
      ) : (
        <TraceOf id={id} row={row} />
      )}
      {row === undefined || row.trace_id !== '' ? <ReceiptOf id={id} row={row} /> : <RowCharge row={row} />}
      {row !== undefined && <RowSubjects row={row} seesAll={seesAll} />}
    </Panel>
  )
}

/** Until the receipt has arrived, or if there is none, shows what the row itself says. */
function ReceiptOf({ id, row }: { id: number; row: Log | undefined }) {
  const { data } = useQuery(logReceiptQuery(useCall(), id))
  if (data === undefined) return row === undefined ? null : <RowCharge row={row} />
  return (
    <>
      <Receipt receipt={data} />
      {row !== undefined && <RowContent row={row} />}
    </>
  )
}

function TraceOf({ id, row }: { id: number; row: Log | undefined }) {
  const t = useTexts(logTexts)
  const query = useQuery(logTraceQuery(useCall(), id))
  const { data, isPending } = query
  if (isPending) return <TraceSkeleton />
  if (data === undefined) return <LoadFailure query={query} text={t.traceFailed} />
  return (
    <>
      <RequestInfo trace={data}>{row !== undefined && <CopyAsCurl trace={data} row={row} />}</RequestInfo>
      <StageTimeline trace={data} />
      <Suspense fallback={null}>
        <RoutingAndAttempts trace={data} row={row} />
      </Suspense>
    </>
  )
}

function CopyAsCurl({ trace, row }: { trace: Trace; row: Log }) {
  const t = useTexts(logTexts)
  const { server_address } = useSystemStatus()
  const text = curlOf({
    origin: baseUrlOf(server_address).replace(/\/v1$/, ''),
    method: trace.method,
    url: trace.url,
    model: row.origin_model_name || row.model_name,
    stream: row.is_stream,
  })
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <CopyButton wide text={text} label={t.copyCurl} shownFor={COPIED_MS} />
      <span className="text-muted text-xs">{t.curlNote}</span>
    </p>
  )
}

/**
 * Up and down step through the rows while the focus is on the panel's title or on the list. Elsewhere they scroll, and fields and
 * menus use them.
 */
function useArrowSteps(onPrevious: (() => void) | undefined, onNext: (() => void) | undefined): void {
  const enabled = useStore(useShortcutsEnabled())
  const step = useEffectEvent((event: KeyboardEvent) => {
    const run = { ArrowUp: onPrevious, ArrowDown: onNext }[event.key]
    const { target } = event
    if (run === undefined || !enabled || event.defaultPrevented || !(target instanceof Element)) return
    if (!target.matches('body, dialog[open] h2, [role=row], [role=row] a')) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => step(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function TraceSkeleton() {
  const t = useTexts(logTexts)
  return (
    <div role="status" className="flex h-96 flex-col gap-3">
      <span className="text-muted text-sm">{t.loadingTrace}</span>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-4 w-full" />
      ))}
    </div>
  )
}

export function RowPanel({ rows, seesAll }: { rows: readonly Log[]; seesAll: boolean }) {
  const { search, change } = useLogAddress()
  if (search.id === undefined) return null
  const at = rows.findIndex((row) => row.id === search.id)
  const stepTo = (row: Log | undefined) => (row === undefined ? undefined : () => change({ id: row.id }, true))
  return (
    <TracePanel
      id={search.id}
      row={rows[at]}
      seesAll={seesAll}
      onClose={() => change({ id: undefined })}
      onPrevious={stepTo(rows[at - 1])}
      onNext={at < 0 ? undefined : stepTo(rows[at + 1])}
    />
  )
}
