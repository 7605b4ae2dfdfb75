import { clsx } from 'clsx'
import { type ReactNode, useId, useRef, useState, useDeferredValue } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { ChartIcon, DownloadIcon, TableIcon } from '../icons.tsx'
import { Menu, MenuItem } from '../menu.tsx'
import type { ValueFormat } from './chart-series.ts'
import { type ChartSheet, sheetColumns, sheetRow } from './chart-sheet.ts'
import type { DayName } from './plot.tsx'
import { chartTexts } from './texts/chart-texts.ts'

interface ChartFrameProps extends ChartSheet {
  readonly title: string
  /** What the value axis counts: "Tokens per day". */
  readonly unit: string
  readonly actions?: ReactNode
  readonly format: ValueFormat
  readonly empty: boolean
  /** Height of the plot, in pixels; kept while there is nothing to plot. */
  readonly height: number
  readonly children: ReactNode
}

export function ChartFrame({ title, unit, actions, format, empty, height, children, ...sheet }: ChartFrameProps) {
  const t = useTexts(chartTexts)
  const titleId = useId()
  const figure = useRef<HTMLElement>(null)
  const [asTable, setAsTable] = useState(false)
  const { days, series, total } = sheet
  const saveCsv = async () => (await import('./chart-files.ts')).saveChartCsv(title, t.day, { days, series, total })
  const savePicture = async () => {
    const plot = figure.current?.querySelector<SVGSVGElement>('[role=slider] svg')
    if (plot) await (await import('./chart-files.ts')).saveChartPicture(title, unit, plot, series)
  }
  return (
    <figure
      ref={figure}
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
        <div className="flex flex-wrap items-center gap-1">
          {actions}
          {!empty && (
            <>
              <IconButton
                label={asTable ? t.showChart(title) : t.showTable(title)}
                onClick={() => setAsTable(!asTable)}
              >
                {asTable ? <ChartIcon /> : <TableIcon />}
              </IconButton>
              <DownloadMenu title={title} onCsv={saveCsv} onPicture={asTable ? undefined : savePicture} />
            </>
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
          <DataTable days={days} series={series} total={total} format={format} caption={title} shown={asTable} />
        </>
      )}
    </figure>
  )
}

interface DownloadMenuProps {
  readonly title: string
  readonly onCsv: () => Promise<void>
  readonly onPicture: (() => Promise<void>) | undefined
}

function DownloadMenu({ title, onCsv, onPicture }: DownloadMenuProps) {
  const t = useTexts(chartTexts)
  return (
    <Menu
      label={t.download(title)}
      trigger={(props) => (
        <IconButton {...props} label={t.download(title)}>
          <DownloadIcon />
        </IconButton>
      )}
    >
      <MenuItem onSelect={() => void onCsv()}>{t.asCsv}</MenuItem>
      <MenuItem disabled={onPicture === undefined} onSelect={() => void onPicture?.()}>
        {t.asPicture}
      </MenuItem>
    </Menu>
  )
}

interface DataTableProps extends ChartSheet {
  readonly caption: string
  readonly format: ValueFormat
  readonly shown: boolean
}

const NO_DAYS: readonly DayName[] = []

/** A year's table is large, so it is filled in after the chart is on screen. */
function DataTable({ caption, days, series, total, format, shown }: DataTableProps) {
  const t = useTexts(chartTexts)
  const filled = useDeferredValue(days, NO_DAYS)
  const sheet = { days, series, total }
  return (
    <div
      className={shown ? 'border-line max-h-96 overflow-auto rounded-md border' : 'sr-only'}
      {...(shown && { tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <table className="w-full border-collapse text-xs tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-subtle sticky top-0">
          <tr>
            {[t.day, ...sheetColumns(sheet)].map((column, index) => (
              <th
                key={index}
                scope="col"
                className={clsx('px-2 py-1.5 font-medium whitespace-nowrap', index === 0 ? 'text-start' : 'text-end')}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ iso, long }, day) => (
            <tr key={iso} className="border-line border-t">
              <th scope="row" className="px-2 py-1.5 text-start font-normal whitespace-nowrap">
                {long}
              </th>
              {sheetRow(sheet, day).map((value, index) => (
                <td key={index} className="px-2 py-1.5 text-end whitespace-nowrap">
                  {format.exact(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
