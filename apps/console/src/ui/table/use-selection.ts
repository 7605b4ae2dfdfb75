import { useState } from 'react'
import { MAX_SELECTED, pressed, type Selected } from './selection.ts'

/** The selection of one list, with what its checkboxes and its bar need. */
export interface Selection<Row> {
  /** The selected rows, in their current version if this page shows them. */
  readonly rows: readonly Row[]
  readonly has: (id: string) => boolean
  /** How much of this page is selected. */
  readonly ofPage: 'none' | 'some' | 'all'
  /** Selects or deselects; `range` extends from the row that was pressed last. */
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
