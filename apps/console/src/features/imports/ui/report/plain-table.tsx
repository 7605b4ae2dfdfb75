import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export interface PlainColumn<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** The cell that names the row. */
  readonly names?: boolean
  /** A sentence, which needs room. */
  readonly isText?: boolean
}

interface PlainTableProps<Row> {
  readonly label: string
  readonly columns: readonly PlainColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row, at: number) => string
  /** Marks rows that need attention. */
  readonly isMarked?: (row: Row) => boolean
}

/** A table of a report: all rows at once, printed as it is. It scrolls sideways where the window is too narrow. */
export function PlainTable<Row>({ label, columns, rows, rowId, isMarked }: PlainTableProps<Row>) {
  return (
    <div tabIndex={0} role="group" aria-label={label} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b">
            {columns.map(({ id, header, isNumber }) => (
              <th
                key={id}
                scope="col"
                className={clsx('text-muted px-2 py-1.5 text-xs font-medium', isNumber ? 'text-end' : 'text-start')}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr
              key={rowId(row, at)}
              className={clsx('border-line border-b last:border-0', isMarked?.(row) === true && 'bg-bad-soft')}
            >
              {columns.map(({ id, cell, isNumber, names, isText }) =>
                names === true ? (
                  <th key={id} scope="row" className="min-w-28 px-2 py-1.5 text-start font-normal">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={id}
                    className={clsx(
                      'px-2 py-1.5',
                      isNumber === true && 'text-end tabular-nums',
                      isText === true ? 'min-w-56 wrap-anywhere' : 'whitespace-nowrap',
                    )}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
