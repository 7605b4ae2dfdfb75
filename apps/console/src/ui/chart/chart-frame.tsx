import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { ChartIcon, TableIcon } from './chart-icons.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { chartTexts } from './texts/chart-texts.ts'

interface ChartFrameProps {
  readonly title: string
  /** What the value axis counts: "Tokens per day". */
  readonly unit: string
  /** Controls beside the title. */
  readonly actions?: ReactNode
  /** The same values as rows and columns; hidden until asked for, and always there for screen readers. */
  readonly table: Omit<DataTableProps, 'caption' | 'shown'>
  readonly empty: boolean
  /** Height of the plot, in pixels; kept while there is nothing to plot. */
  readonly height: number
  readonly children: ReactNode
}

/** The one frame of charts: title, unit, controls, the plot and the table behind it. */
export function ChartFrame({ title, unit, actions, table, empty, height, children }: ChartFrameProps) {
  const t = useTexts(chartTexts)
  const titleId = useId()
  const [asTable, setAsTable] = useState(false)
  return (
    <figure
      aria-labelledby={titleId}
      className="border-line bg-surface @container relative min-w-0 overflow-x-clip rounded-lg border p-4"
    >
      <figcaption className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={titleId} className="font-semibold">
            {title}
          </h2>
          <p className="text-muted text-xs">{unit}</p>
        </div>
        <div className="flex items-center gap-2">
          {actions}
          {!empty && (
            <IconButton label={asTable ? t.showChart(title) : t.showTable(title)} onClick={() => setAsTable(!asTable)}>
              {asTable ? <ChartIcon /> : <TableIcon />}
            </IconButton>
          )}
        </div>
      </figcaption>
      {empty ? (
        <p className="text-muted grid place-items-center text-sm" style={{ height }}>
          {t.noData}
        </p>
      ) : (
        <>
          {!asTable && children}
          <DataTable {...table} caption={title} shown={asTable} />
        </>
      )}
    </figure>
  )
}
