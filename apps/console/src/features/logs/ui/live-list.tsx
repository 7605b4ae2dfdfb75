import type { Log } from '@sluice/contract/log'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { Button } from '~/ui/button.tsx'
import { CardList } from '~/ui/table/card-list.tsx'
import { ColumnChooser, ROW_PX, useDensity } from '~/ui/table/column-chooser.tsx'
import { TableGrid } from '~/ui/table/table-grid.tsx'
import { type Column, useListTable } from '~/ui/table/use-list-table.ts'
import { fetchLogs } from '../calls.ts'
import type { LogSearch } from '../model/filters/log-search.ts'
import { createFollower, LIVE_PAGE_SIZE } from '../model/follower.ts'
import { logTexts } from '../texts/log-texts.ts'
import { hasTrace, LogCard } from './log-row.tsx'
import { RowPanel } from './trace-panel.tsx'
import { useLogAddress } from './use-log-address.ts'

interface LiveListProps {
  /** The followed filters. They are the component's key, so a change of filters starts over. */
  readonly search: LogSearch
  readonly seesAll: boolean
  readonly columns: readonly Column<Log>[]
  readonly toolbar: ReactNode
}

interface Divider {
  readonly since: number
}
type LiveRow = Log | Divider

const isDivider = (row: LiveRow): row is Divider => 'since' in row
/** Beyond this scroll position, someone is reading and nothing may move. */
const READING_FROM_PX = 8

/** New rows are added on top while the reader is there, and held back otherwise. */
export function LiveList({ search, seesAll, columns, toolbar }: LiveListProps) {
  const t = useTexts(logTexts)
  const phone = useIsBelow('tablet')
  const { change } = useLogAddress()
  const { follower, since } = useFollower(search, seesAll)
  const { tail, paused, failed } = useStore(follower)
  const { ref, toTop } = useReading(follower.pause)
  const [density, setDensity] = useDensity()

  const rows: readonly LiveRow[] =
    tail === undefined ? [] : [...tail.rows.slice(0, tail.fresh), { since }, ...tail.rows.slice(tail.fresh)]
  const rowId = (row: LiveRow) => (isDivider(row) ? 'since' : String(row.id))
  const table = useListTable<LiveRow>({
    name: 'logs',
    columns: columns.map((column) => withDivider(column)),
    rows,
    rowId,
    search,
    onSearch: change,
  })
  const waiting = tail?.waiting.length ?? 0
  const common = { label: t.title, rows: tail && table.rows, rowId, skeletonRows: 10, stale: false }
  return (
    <section ref={ref} className="flex min-h-0 min-w-0 grow flex-col gap-3" aria-label={t.title}>
      <div className="flex flex-wrap items-center gap-2">
        {toolbar}
        {!phone && <ColumnChooser columns={table.choosable} density={density} onDensity={setDensity} />}
      </div>
      {waiting > 0 && (
        <div className="flex justify-center">
          <Button size="small" variant="primary" onClick={toTop}>
            {t.liveNew(formatCount(waiting))}
          </Button>
        </div>
      )}
      {phone ? (
        <CardList
          {...common}
          card={(row) => (isDivider(row) ? <DividerCard divider={row} /> : <LogCard row={row} />)}
        />
      ) : (
        <TableGrid
          {...common}
          columns={table.shown}
          rowPx={ROW_PX[density]}
          openId={search.id === undefined ? undefined : String(search.id)}
          onOpen={(row) => !isDivider(row) && change({ id: row.id })}
          opens={(row) => !isDivider(row) && hasTrace(row)}
        />
      )}
      <p role="status" className="text-muted flex flex-wrap justify-end gap-x-3 text-sm tabular-nums">
        {failed && <span className="text-bad">{t.liveFailed}</span>}
        {paused && <span>{t.livePaused}</span>}
        {tail !== undefined && (
          <span>{tail.rows.length === 0 ? t.liveEmpty : t.liveRows(formatCount(tail.rows.length))}</span>
        )}
      </p>
      <RowPanel rows={tail?.rows ?? []} seesAll={seesAll} />
    </section>
  )
}

function useFollower(search: LogSearch, seesAll: boolean) {
  const call = useCall()
  const [since] = useState(() => Math.floor(Date.now() / 1_000))
  const [follower] = useState(() =>
    createFollower<Log>({
      isVisible: () => document.visibilityState === 'visible',
      fetchPage: (from, p, signal) => {
        const asked = { ...search, p, size: LIVE_PAGE_SIZE, ...(from !== undefined && { start: from }) }
        return fetchLogs(call, asked, seesAll, Date.now(), signal)
      },
    }),
  )
  useEffect(() => {
    const stop = follower.start()
    const onVisible = () => document.visibilityState === 'visible' && follower.wake()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      stop()
    }
  }, [follower])
  return { follower, since }
}

/** Reports whether the list, or the page that it scrolls with, is scrolled down; can return to the top. */
function useReading(onReading: (reading: boolean) => void) {
  const ref = useRef<HTMLElement>(null)
  const scrolled = useRef<Element>(null)
  useEffect(() => {
    const onScroll = ({ target }: Event) => {
      const scroller = target instanceof Document ? target.scrollingElement : target
      if (!(scroller instanceof Element) || ref.current === null) return
      if (!scroller.contains(ref.current) && !ref.current.contains(scroller)) return
      scrolled.current = scroller
      onReading(scroller.scrollTop > READING_FROM_PX)
    }
    document.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', onScroll, { capture: true })
  }, [onReading])
  return { ref, toTop: () => scrolled.current?.scrollTo({ top: 0 }) }
}

function withDivider(column: Column<Log>): Column<LiveRow> {
  const line = <span aria-hidden="true" className="border-accent block border-t border-dashed" />
  const divider = ({ since }: Divider) => (column.id === 'created_at' ? <DividerTime since={since} /> : line)
  return { ...column, cell: (row) => (isDivider(row) ? divider(row) : column.cell(row)) }
}

function DividerTime({ since }: Divider) {
  const t = useTexts(logTexts)
  return <span className="text-accent text-xs font-medium tabular-nums">{t.liveSince(timeOf(since))}</span>
}

function DividerCard({ divider }: { divider: Divider }) {
  return (
    <div className="bg-accent-soft px-3 py-1.5 text-center">
      <DividerTime since={divider.since} />
    </div>
  )
}

/** `14:05:09`. */
function timeOf(unixSeconds: number): string {
  return formatDateTime(unixSeconds).split(' ')[1] ?? ''
}
