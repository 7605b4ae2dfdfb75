import { clsx } from 'clsx'
import { type ReactNode, type Ref, type RefObject, createContext, useContext, useRef } from 'react'
import { type CustomContainerComponentProps, Virtualizer } from 'virtua'
import { useCommand } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SortDownIcon, SortIcon, SortUpIcon } from '../icons.tsx'
import { Skeleton } from '../skeleton.tsx'
import { tableTexts } from './texts/table-texts.ts'
import type { ShownColumn } from './use-list-table.ts'

const HEADER_PX = 36
/** From this many rows on, only rows in view are drawn. */
const VIRTUAL_FROM = 50

interface TableGridProps<Row> {
  readonly label: string
  readonly columns: readonly ShownColumn<Row>[]
  /** `undefined` while the first rows are loading. */
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  readonly skeletonRows: number
  readonly rowPx: number
  /** True while newer rows are loading; the old rows stay, dimmed. */
  readonly stale: boolean
  readonly openId?: string | undefined
  readonly onOpen?: ((row: Row) => void) | undefined
  /** Rows that open on a press; all rows when absent. */
  readonly opens?: ((row: Row) => boolean) | undefined
  readonly children?: ReactNode
}

/**
 * CSS grid lays the rows out so that drawn and skipped rows line up; the roles that browsers drop with that layout are set
 * explicitly. The header sticks, and the rows scroll inside.
 */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { columns, rows } = props
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={scroller}
      data-scroll-restoration-id="table"
      className="border-line bg-surface overflow-auto rounded-lg border md:min-h-48"
    >
      <ListKeys scroller={scroller} />
      {/* Roles are repeated on purpose: display:grid removes them from the accessibility tree in some browsers. */}
      <table
        role="table"
        aria-label={props.label}
        aria-rowcount={rows === undefined ? -1 : rows.length + 1}
        aria-busy={props.stale || rows === undefined}
        className={clsx('grid min-w-full text-sm transition-opacity', props.stale && 'opacity-60 delay-300')}
        style={{ '--columns': columns.map((column) => column.width).join(' '), '--row': `${props.rowPx}px` }}
      >
        <thead role="rowgroup" className="bg-surface sticky top-0 z-[1]">
          <tr role="row" className="border-line bg-surface grid grid-cols-(--columns) border-b">
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        {rows === undefined ? <SkeletonBody {...props} /> : <Body {...props} rows={rows} scroller={scroller} />}
      </table>
      {rows?.length === 0 && props.children}
    </div>
  )
}

function HeaderCell<Row>({ column }: { column: ShownColumn<Row> }) {
  const { sorted, toggleSort, header, align } = column
  const direction = { asc: 'ascending', desc: 'descending' } as const
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sorted === undefined ? undefined : direction[sorted]}
      className={clsx(
        'text-muted flex h-9 items-center px-3 text-xs font-medium',
        align === 'end' && 'justify-end',
        column.stays === true && STAYS,
      )}
    >
      {column.headerCell !== undefined ? (
        column.headerCell
      ) : toggleSort === undefined ? (
        <span className={column.quietHeader === true ? 'sr-only' : 'truncate'}>{header}</span>
      ) : (
        <button
          type="button"
          onClick={toggleSort}
          className={clsx('hover:text-ink group relative -mx-1 min-w-0 rounded px-1 py-1', sorted && 'text-ink')}
        >
          <span className="block truncate">{header}</span>
          <span
            className={clsx(
              'absolute inset-y-0 flex items-center',
              align === 'end' ? 'right-full' : 'left-full',
              sorted === undefined &&
                'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-60',
            )}
          >
            {sorted === undefined ? <SortIcon /> : sorted === 'asc' ? <SortUpIcon /> : <SortDownIcon />}
          </span>
        </button>
      )}
    </th>
  )
}

const STAYS = 'sticky right-0 self-stretch bg-inherit'

/** The line below a row is not a border: the measurement of rows ignores borders, and each row would cover the line before it. */
const ROW =
  'relative grid h-(--row) grid-cols-(--columns) items-center bg-surface hover:bg-hover data-open:bg-accent-soft ' +
  'after:bg-line after:absolute after:inset-x-0 after:bottom-0 after:h-px last:after:hidden focus-visible:-outline-offset-2'

interface BodyProps<Row> extends TableGridProps<Row> {
  readonly rows: readonly Row[]
  readonly scroller: RefObject<HTMLDivElement | null>
}

const RowFactsContext = createContext<(index: number) => RowFacts>(() => ({}))
interface RowFacts {
  readonly 'data-row'?: string
  readonly 'data-open'?: true
  readonly onClick?: () => void
}

function Body<Row>(props: BodyProps<Row>) {
  const { rows, columns, rowId, openId, onOpen, opens = () => true, scroller, rowPx } = props
  const factsOf = (row: Row | undefined): RowFacts => ({
    ...(row !== undefined && { 'data-row': rowId(row) }),
    ...(row !== undefined && openId === rowId(row) && { 'data-open': true }),
    ...(row !== undefined && onOpen !== undefined && opens(row) && { onClick: () => onOpen(row) }),
  })
  if (rows.length < VIRTUAL_FROM) {
    return (
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <PlainRow key={rowId(row)} index={index} facts={factsOf(row)}>
            <Cells row={row} columns={columns} />
          </PlainRow>
        ))}
      </tbody>
    )
  }
  return (
    <RowFactsContext value={(index) => factsOf(rows[index])}>
      <Virtualizer
        as={VirtualBody}
        item={VirtualRow}
        data={rows}
        itemSize={rowPx}
        startMargin={HEADER_PX}
        scrollRef={scroller}
      >
        {(row) => <Cells key={rowId(row)} row={row} columns={columns} />}
      </Virtualizer>
    </RowFactsContext>
  )
}

interface RowProps {
  readonly index: number
  readonly facts: RowFacts
  readonly children: ReactNode
  readonly style?: React.CSSProperties
  readonly ref?: Ref<HTMLTableRowElement>
}

/** A press anywhere on the row opens it, except on interactive elements and while text is being selected. */
function PlainRow({ index, facts, children, ...rest }: RowProps) {
  const { onClick, ...marks } = facts
  return (
    <tr
      {...rest}
      {...marks}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      className={clsx(ROW, onClick !== undefined && 'cursor-pointer')}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return
        if (onClick === undefined) event.currentTarget.querySelector<HTMLElement>('a,button')?.click()
        else onClick()
      }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a,button,input,label') !== null) return
        if (window.getSelection()?.type !== 'Range') onClick?.()
      }}
    >
      {children}
    </tr>
  )
}

function VirtualBody({ children, style, ref }: CustomContainerComponentProps & { ref?: Ref<HTMLTableSectionElement> }) {
  return (
    <tbody ref={ref} role="rowgroup" style={style}>
      {children}
    </tbody>
  )
}

function VirtualRow({ index, children, style, ref }: Omit<RowProps, 'facts'>) {
  const facts = useContext(RowFactsContext)(index)
  return (
    <PlainRow index={index} facts={facts} style={style ?? {}} ref={ref ?? null}>
      {children}
    </PlainRow>
  )
}

function Cells<Row>({ row, columns }: { row: Row; columns: readonly ShownColumn<Row>[] }) {
  return columns.map((column) => (
    <td
      key={column.id}
      role="cell"
      className={clsx(
        'min-w-0 truncate px-3',
        column.align === 'end' && 'text-right tabular-nums',
        column.stays === true && clsx(STAYS, 'flex items-center justify-end'),
      )}
    >
      {column.cell(row)}
    </td>
  ))
}

function SkeletonBody<Row>({ columns, skeletonRows }: TableGridProps<Row>) {
  return (
    <tbody role="rowgroup" aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, index) => (
        <tr key={index} role="row" className={ROW}>
          {columns.map((column) => (
            <td key={column.id} role="cell" className="px-3">
              <Skeleton className="h-3 w-3/5" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** `j` and `k` move the focus through the table; a row handles Enter itself. */
function ListKeys({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  const t = useTexts(tableTexts)
  const step = (by: 1 | -1) => {
    const rows = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    rows[at === -1 ? 0 : at + by]?.focus()
  }
  useCommand({ id: 'list.next', label: t.nextRow, group: t.list, keys: 'j', run: () => step(1) })
  useCommand({ id: 'list.previous', label: t.previousRow, group: t.list, keys: 'k', run: () => step(-1) })
  return null
}

/** `x` selects or deselects the focused row. */
export function SelectKey({ onToggle }: { onToggle: (id: string) => void }) {
  const t = useTexts(tableTexts)
  const toggle = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
    if (id !== undefined) onToggle(id)
  }
  useCommand({ id: 'list.select', label: t.selectFocused, group: t.list, keys: 'x', run: toggle })
  return null
}
