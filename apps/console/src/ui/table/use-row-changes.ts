import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type ListPage, listsOf } from '~/lib/list/list-query.ts'
import { ROW_STATUS, type RowCalls, type RowReply, type SwitchedStatus } from '~/lib/list/row-calls.ts'
import { useConfirm } from '../confirm.tsx'
import { useChange } from '../use-change.ts'
import { tableTexts } from './texts/table-texts.ts'

interface RowTexts {
  readonly enabledNow: string
  readonly disabledNow: string
  readonly deleteTitle: string
  readonly deleteText: (name: string) => string
  readonly deleted: string
}

interface RowChangeOptions<Row> {
  /** First part of the rows' query keys. */
  readonly area: string
  readonly calls: RowCalls<Row>
  /** Name of a row in a sentence. */
  readonly nameOf: (row: Row) => string
  readonly texts: RowTexts
  /** The status that the switch sets; undefined for statuses that cannot be switched. */
  readonly toggled?: (status: number) => SwitchedStatus | undefined
}

interface Change {
  readonly send: () => Promise<RowReply>
  /** Title of the toast on success; omitted if the list itself shows enough. */
  readonly done?: string
  readonly undo?: (() => void) | undefined
  readonly failed: (failure: Failure) => string
}

interface RowChange<Row> {
  readonly row: Row
  readonly changed: (row: Row) => Row
  readonly how: Change
}

export interface RowChanges<Row> {
  /** Shows the change at once in every cached list, sends it, and reverts it on refusal. */
  readonly change: (row: Row, changed: (row: Row) => Row, how: Change) => Promise<void>
  /** Disables an enabled row and enables any other, at once in the list. Reverts on refusal, and offers Undo. */
  readonly toggle: (row: Row) => Promise<void>
  /** Asks for confirmation first; `text` replaces the usual question. */
  readonly remove: (row: Row, text?: string) => void
}

export function useRowChanges<Row extends { readonly id: number; readonly status: number }>(
  options: RowChangeOptions<Row>,
): RowChanges<Row> {
  const t = useTexts(tableTexts)
  const cache = useQueryClient()
  const confirm = useConfirm()
  const { area, calls, nameOf, texts, toggled = otherThan } = options

  const { run } = useChange({
    stale: [[area]],
    ahead: ({ row, changed }: RowChange<Row>) => showAhead(cache, area, row, changed),
    send: ({ how }) => how.send(),
    failed: (failure, { how }) => how.failed(failure),
    done: (_success, { row, how: { done, undo } }) =>
      done === undefined
        ? undefined
        : { title: done, text: nameOf(row), ...(undo && { action: { label: t.undo, run: undo } }) },
  })
  const change: RowChanges<Row>['change'] = (row, changed, how) => run({ row, changed, how })

  const setStatus = (row: Row, status: SwitchedStatus, undo?: () => void) =>
    change(row, (each) => ({ ...each, status }), {
      send: () => calls.setStatus(row, status),
      done: status === ROW_STATUS.on ? texts.enabledNow : texts.disabledNow,
      undo,
      failed: () => t.statusFailed,
    })

  const toggle = async (row: Row) => {
    const next = toggled(row.status)
    if (next !== undefined) await setStatus(row, next, () => void setStatus(row, otherThan(next)))
  }

  const removal = useChange({
    stale: [[area]],
    send: calls.remove,
    failed: t.deleteFailed,
    done: (_success, row) => ({ title: texts.deleted, text: nameOf(row) }),
  })

  const remove = (row: Row, text = texts.deleteText(nameOf(row))) =>
    confirm({
      title: texts.deleteTitle,
      text,
      confirm: t.delete,
      busy: t.deleteBusy,
      danger: true,
      run: () => removal.run(row),
    })

  return { change, toggle, remove }
}

function otherThan(status: number): SwitchedStatus {
  return status === ROW_STATUS.on ? ROW_STATUS.off : ROW_STATUS.on
}

/**
 * Shows a change in every cached list of its area before the gateway has confirmed it. The returned function reverts only this
 * change.
 */
export async function showAhead<Row extends { readonly id: number }>(
  cache: QueryClient,
  area: string,
  { id }: Row,
  changed: (row: Row) => Row,
): Promise<() => void> {
  const queryKey = listsOf(area)
  const put = (next: typeof changed) =>
    cache.setQueriesData<ListPage<Row>>(
      { queryKey },
      (page) => page && { ...page, rows: page.rows.map((row) => (row.id === id ? next(row) : row)) },
    )
  // A reply already on its way predates the change and would hide it.
  await cache.cancelQueries({ queryKey })
  const before = cache
    .getQueriesData<ListPage<Row>>({ queryKey })
    .flatMap(([, page]) => page?.rows ?? [])
    .find((row) => row.id === id)
  put(changed)
  return () => {
    if (before !== undefined) put(() => before)
  }
}
