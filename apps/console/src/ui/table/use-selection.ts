import { useState, type ReactNode } from 'react'

export interface Selection<Row> {
  /** In their current version if this page shows them. */
  readonly rows: readonly Row[]
  readonly has: (id: string) => boolean
  readonly ofPage: 'none' | 'some' | 'all'
  /** `range` extends from the row that was pressed last. */
  readonly press: (id: string, on: boolean, range: boolean) => void
  readonly pressPage: (on: boolean) => void
  readonly take: (rows: readonly Row[]) => void
  readonly clear: () => void
}

export function useSelection<Row>(rows: readonly Row[], rowId: (row: Row) => string): Selection<Row> {
  const [selected, setSelected] = useState<Selected<Row>>(new Map())
  const [last, setLast] = useState<string>()
  const page = rows.map((row) => [rowId(row), row] as const)
  const shown = new Map(page)
  const count = page.filter(([id]) => selected.has(id)).length
  return {
    rows: [...selected].map(([id, row]) => shown.get(id) ?? row),
    has: (id) => selected.has(id),
    ofPage: count === 0 ? 'none' : count === page.length ? 'all' : 'some',
    press: (id, on, range) => {
      setSelected(pressed(selected, page, { id, on, from: range ? last : undefined }))
      setLast(id)
    },
    pressPage: (on) => {
      const first = page[0]?.[0]
      const end = page.at(-1)?.[0]
      if (first !== undefined && end !== undefined) setSelected(pressed(selected, page, { id: end, on, from: first }))
    },
    take: (all) => setSelected(new Map(all.slice(0, MAX_SELECTED).map((row) => [rowId(row), row]))),
    clear: () => setSelected(new Map()),
  }
}

/** Limits the selection, so that acting on it stays bounded. */
export const MAX_SELECTED = 1_000

export interface SelectionOptions<Row> {
  readonly nameOf: (row: Row) => string
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode
  /**
   * Fetches every matching row, at most `MAX_SELECTED`; without it, only rows that were shown can be selected. The signal aborts
   * when the selection is cleared or the user leaves the page.
   */
  readonly all?: (signal: AbortSignal) => Promise<readonly Row[]>
}

/** By id, across all visited pages. */
type Selected<Row> = ReadonlyMap<string, Row>

/**
 * With `from`, the id of the last checkbox pressed, every row between the two on this page gets the same state; an id that is not
 * on the page is ignored.
 */
export function pressed<Row>(
  selected: Selected<Row>,
  page: readonly (readonly [id: string, row: Row])[],
  press: { readonly id: string; readonly on: boolean; readonly from?: string | undefined },
): Selected<Row> {
  const at = page.findIndex(([id]) => id === press.id)
  const anchor = page.findIndex(([id]) => id === press.from)
  const range = anchor === -1 ? page.slice(at, at + 1) : page.slice(Math.min(at, anchor), Math.max(at, anchor) + 1)
  const next = new Map(selected)
  for (const [id, row] of at === -1 ? [] : range) {
    if (!press.on) next.delete(id)
    else if (next.size < MAX_SELECTED) next.set(id, row)
  }
  return next
}
