import type { ReactNode } from 'react'
import { Skeleton } from '../skeleton.tsx'
import { SelectRow } from './select-column.tsx'
import type { Selection } from './use-selection.ts'

interface CardListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  readonly card: (row: Row) => ReactNode
  readonly skeletonRows: number
  readonly stale: boolean
  readonly selection?: Selection<Row> | undefined
  readonly nameOf?: ((row: Row) => string) | undefined
  readonly children?: ReactNode
}

/** For phones: one card per row, never a column under another. */
export function CardList<Row>(props: CardListProps<Row>) {
  const { label, rows, rowId, card, skeletonRows, stale, selection, nameOf } = props
  return (
    <div className="border-line bg-surface overflow-hidden rounded-lg border" aria-busy={stale || rows === undefined}>
      <ul aria-label={label} className="divide-line divide-y">
        {rows === undefined
          ? Array.from({ length: skeletonRows }, (_, index) => (
              <li key={index} aria-hidden="true" className="flex h-17 flex-col justify-center gap-2 px-3">
                <Skeleton className="h-3.5 w-2/5" />
                <Skeleton className="h-3 w-4/5" />
              </li>
            ))
          : rows.map((row) => (
              <li key={rowId(row)} className="flex items-center">
                {selection !== undefined && nameOf !== undefined && (
                  <span className="ps-3">
                    <SelectRow selection={selection} id={rowId(row)} name={nameOf(row)} />
                  </span>
                )}
                <div className="min-w-0 grow">{card(row)}</div>
              </li>
            ))}
      </ul>
      {rows?.length === 0 && props.children}
    </div>
  )
}

interface ListCardProps {
  readonly title: ReactNode
  readonly badge?: ReactNode
  readonly details: ReactNode
  readonly menu?: ReactNode
}

export function ListCard({ title, badge, details, menu }: ListCardProps) {
  return (
    <div className="flex items-center gap-1 py-2 pr-1 pl-3">
      <div className="min-w-0 grow">
        <div className="flex min-w-0 items-center gap-2 text-sm font-medium">
          <span className="min-w-0 truncate">{title}</span>
          {badge}
        </div>
        <div className="text-muted mt-0.5 flex min-w-0 flex-wrap items-center gap-x-2 text-xs">{details}</div>
      </div>
      {menu}
    </div>
  )
}
