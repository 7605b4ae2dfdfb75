import {
  type ColumnVisibilityState,
  type SortingState,
  useTable,
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import { type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import type { ListSearch } from '~/lib/list/list-search.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'

const storedVisibility = v.record(v.string(), v.boolean())

export interface ShownColumn<Row> extends Column<Row> {
  readonly sorted: 'asc' | 'desc' | undefined
  readonly toggleSort: (() => void) | undefined
  readonly headerCell?: ReactNode
}

export interface ChoosableColumn {
  readonly id: string
  readonly header: string
  readonly shown: boolean
  readonly toggle: () => void
}

interface ListTableOptions<Row extends object> {
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly search: Pick<ListSearch, 'sort' | 'order'>
  readonly onSearch: (change: Partial<ListSearch>) => void
}

export function useListTable<Row extends object>(options: ListTableOptions<Row>) {
  const { columns, search } = options
  const [visibility, setVisibility] = useColumnVisibility(options.name, columns)
  const sorting: SortingState = search.sort === '' ? [] : [{ id: search.sort, desc: search.order === 'desc' }]
  const table = useTable({
    features: tableParts,
    columns: columns.map((column) => ({
      id: column.id,
      accessorFn: (row: Row) => row,
      enableSorting: column.sortable === true,
      enableHiding: column.fixed !== true,
    })),
    data: options.rows,
    getRowId: options.rowId,
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting, columnVisibility: visibility },
    onColumnVisibilityChange: setVisibility,
    onSortingChange: (update) => {
      const next = (typeof update === 'function' ? update(sorting) : update)[0]
      options.onSearch({ sort: next?.id ?? '', order: next?.desc === false ? 'asc' : 'desc', p: 0 })
    },
  })
  const byId = new Map(columns.map((column) => [column.id, column]))
  const shown = table.getVisibleLeafColumns().flatMap((column): ShownColumn<Row>[] => {
    const declared = byId.get(column.id)
    if (declared === undefined) return []
    const sorted = column.getIsSorted()
    const toggleSort = column.getCanSort() ? () => column.toggleSorting() : undefined
    return [{ ...declared, sorted: sorted === false ? undefined : sorted, toggleSort }]
  })
  const choosable = table
    .getAllLeafColumns()
    .filter((column) => column.getCanHide())
    .map((column): ChoosableColumn => ({
      id: column.id,
      header: byId.get(column.id)?.header ?? column.id,
      shown: column.getIsVisible(),
      toggle: () => column.toggleVisibility(),
    }))
  return { shown, choosable, rows: table.getRowModel().rows.map((row) => row.original) }
}

type VisibilityUpdate = ColumnVisibilityState | ((previous: ColumnVisibilityState) => ColumnVisibilityState)

/** The visitor's choice, stored locally, takes precedence over what the width of the window suggests. */
function useColumnVisibility<Row>(name: string, columns: readonly Column<Row>[]) {
  const record = storedRecord(browserStorage(), STORAGE_KEYS.columns(name), storedVisibility)
  const [chosen, setChosen] = useState(() => record.read() ?? {})
  const tooNarrowFor = {
    tablet: useIsBelow('tablet'),
    desktop: useIsBelow('desktop'),
    large: useIsBelow('large'),
    wide: useIsBelow('wide'),
    roomy: useIsBelow('roomy'),
    chosen: true,
  }
  const suggested = columns.map(({ id, from }) => [id, from === undefined || !tooNarrowFor[from]] as const)
  const visibility: ColumnVisibilityState = { ...Object.fromEntries(suggested), ...chosen }
  const update = (change: VisibilityUpdate) => {
    const next = typeof change === 'function' ? change(visibility) : change
    const changed = Object.entries(next).filter(([id, shown]) => visibility[id] !== shown)
    const all = { ...chosen, ...Object.fromEntries(changed) }
    record.write(all)
    setChosen(all)
  }
  return [visibility, update] as const
}

/** The table library handles column visibility and the sort toggle; the server sorts. */
const tableParts = tableFeatures({ columnVisibilityFeature, rowSortingFeature })

export interface Column<Row> {
  /** Also the server's name of the column if it can be sorted. */
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** CSS grid track. It must not depend on content, or rows would not line up: `5rem`, `minmax(8rem, 2fr)`. */
  readonly width: string
  readonly align?: 'start' | 'end'
  readonly sortable?: boolean
  /** Smallest window in which the column is shown by default; `chosen` is shown only when the visitor chooses it. */
  readonly from?: 'tablet' | 'desktop' | 'large' | 'wide' | 'roomy' | 'chosen'
  /** Columns that a row needs to make sense cannot be hidden. */
  readonly fixed?: boolean
  /** Stays at the right edge while the others scroll under it, as the actions do. */
  readonly stays?: boolean
  /** Only screen readers and the chooser get the header, as for the actions. */
  readonly quietHeader?: boolean
}
