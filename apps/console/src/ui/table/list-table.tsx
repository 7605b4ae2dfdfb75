import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ListPage } from '~/lib/list/list-query.ts'
import type { ListSearch } from '~/lib/list/list-search.ts'
import { Button } from '../button.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { CardList } from './card-list.tsx'
import { ColumnChooser, ROW_PX, useDensity } from './column-chooser.tsx'
import { Pager } from './pager.tsx'
import { selectColumn } from './select-column.tsx'
import { SortSelect } from './sort-select.tsx'
import { SelectKey, TableGrid } from './table-grid.tsx'
import { tableTexts } from './texts/table-texts.ts'
import { type Column, useListTable } from './use-list-table.ts'
import { type SelectionOptions, MAX_SELECTED, useSelection, type Selection } from './use-selection.ts'

export interface ListQueryState<Row> {
  readonly data: ListPage<Row> | undefined
  readonly isError: boolean
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

interface ListTableProps<Row extends object> {
  readonly name: string
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly query: ListQueryState<Row>
  readonly rowId: (row: Row) => string
  readonly card: (row: Row) => ReactNode
  readonly search: Omit<ListSearch, 'keyword'>
  /** Changes the address; other parameters keep their values. */
  readonly onSearch: (change: Partial<ListSearch>) => void
  readonly toolbar: ReactNode
  readonly empty: string
  readonly openId?: string | undefined
  readonly onOpen?: (row: Row) => void
  /** Rows that open on a press; all rows when absent. */
  readonly opens?: (row: Row) => boolean
  /** Replaces the pager, for lists that are not paged by number. */
  readonly pager?: ReactNode
  readonly selection?: SelectionOptions<Row>
}

const NO_ROWS: readonly never[] = []

/**
 * All state except the column choice is in the caller's search parameters. A failed load empties the list without a notice, as
 * specified, and offers a retry.
 */
export function ListTable<Row extends object>(props: ListTableProps<Row>) {
  const t = useTexts(tableTexts)
  const ui = useTexts(uiTexts)
  const phone = useIsBelow('tablet')
  const { query, search, onSearch, rowId, columns } = props
  const page = query.isError ? undefined : query.data
  const rows = query.isError ? NO_ROWS : query.data?.rows
  const table = useListTable({ name: props.name, columns, rows: rows ?? NO_ROWS, rowId, search, onSearch })
  const [density, setDensity] = useDensity()
  const selection = useSelection(table.rows, rowId)
  const options = props.selection
  const common = {
    label: props.label,
    rows: rows === undefined ? undefined : table.rows,
    rowId,
    skeletonRows: Math.min(search.size, 10),
    stale: query.isPlaceholderData,
  }
  const nothing = (
    <div className="text-muted flex flex-col items-center gap-3 px-4 py-12 text-center text-sm">
      {query.isError ? t.listFailed : props.empty}
      {query.isError && <Button onClick={() => void query.refetch()}>{ui.retry}</Button>}
    </div>
  )
  return (
    <section className="flex min-h-0 min-w-0 grow flex-col gap-3" aria-label={props.label}>
      <div className="flex flex-wrap items-center gap-2">
        {props.toolbar}
        {phone ? (
          <SortSelect columns={columns} search={search} onSearch={onSearch} />
        ) : (
          <ColumnChooser columns={table.choosable} density={density} onDensity={setDensity} />
        )}
      </div>
      {phone ? (
        <CardList {...common} card={props.card} selection={options && selection} nameOf={options?.nameOf}>
          {nothing}
        </CardList>
      ) : (
        <TableGrid
          {...common}
          columns={
            options === undefined
              ? table.shown
              : [selectColumn({ selection, rowId, nameOf: options.nameOf }), ...table.shown]
          }
          rowPx={ROW_PX[density]}
          openId={props.openId}
          onOpen={props.onOpen}
          opens={props.opens}
        >
          {nothing}
        </TableGrid>
      )}
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        {options !== undefined && <SelectKey onToggle={(id) => selection.press(id, !selection.has(id), false)} />}
        {options !== undefined && selection.rows.length > 0 && (
          <SelectionBar selection={selection} options={options} total={page?.total ?? 0} />
        )}
        <span className="grow" />
        {props.pager ?? <Pager search={search} total={page?.total ?? 0} onSearch={onSearch} />}
      </div>
    </section>
  )
}

interface SelectionBarProps<Row> {
  readonly selection: Selection<Row>
  readonly options: SelectionOptions<Row>
  readonly total: number
}

function SelectionBar<Row>({ selection, options, total }: SelectionBarProps<Row>) {
  const t = useTexts(tableTexts)
  const [asking, setAsking] = useState(false)
  const { rows, clear } = selection
  const { all } = options
  useCommand({ id: 'list.unselect', label: t.clearSelection, group: t.list, keys: 'Escape', run: clear })
  // No one waits for the rows once the bar is gone.
  const gone = useRef<AbortController>(null)
  useEffect(() => {
    const controller = (gone.current = new AbortController())
    return () => controller.abort()
  }, [])
  const selectAll = async () => {
    if (all === undefined || gone.current === null) return
    setAsking(true)
    const found = await all(gone.current.signal).catch(() => undefined)
    if (found !== undefined) selection.take(found)
    setAsking(false)
  }
  const more = Math.min(total, MAX_SELECTED)
  return (
    <div
      role="group"
      aria-label={t.selection}
      className="border-line bg-surface flex flex-wrap items-center gap-2 rounded-lg border px-2 py-1 max-md:sticky max-md:bottom-2 max-md:z-[2] max-md:shadow-lg"
    >
      <span role="status" className="px-1 text-sm font-medium tabular-nums">
        {t.selectedRows(formatCount(rows.length))}
      </span>
      {all !== undefined && selection.ofPage === 'all' && rows.length < more && (
        <Button size="small" variant="ghost" busy={asking} onClick={() => void selectAll()}>
          {t.selectAll(formatCount(more))}
        </Button>
      )}
      {options.actions(rows, clear)}
      <Button size="small" variant="ghost" onClick={clear}>
        {t.clearSelection}
      </Button>
    </div>
  )
}
