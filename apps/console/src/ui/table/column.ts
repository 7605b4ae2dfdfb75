import { columnVisibilityFeature, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { ReactNode } from 'react'

/** What the table library does here: column visibility and the sort toggle. Sorting itself is done by the server. */
export const tableParts = tableFeatures({ columnVisibilityFeature, rowSortingFeature })

/** One column of a list, declared once for table, column chooser and sort choice. */
export interface Column<Row> {
  /** Also the server's name of the column when it can be sorted. */
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** CSS grid track; nothing that depends on content, or rows would not line up: `5rem`, `minmax(8rem, 2fr)`. */
  readonly width: string
  readonly align?: 'start' | 'end'
  readonly sortable?: boolean
  /** Smallest window in which it is shown unless the visitor chose otherwise; `chosen` is shown only when chosen. */
  readonly from?: 'tablet' | 'desktop' | 'large' | 'wide' | 'roomy' | 'chosen'
  /** Columns that a row needs to make sense cannot be hidden. */
  readonly fixed?: boolean
  /** Stays at the right edge while the others scroll under it: the actions. */
  readonly stays?: boolean
  /** Header text only for screen readers and the chooser: the actions column. */
  readonly quietHeader?: boolean
}
