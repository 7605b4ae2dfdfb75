import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ChartFrame } from './chart-frame.tsx'
import { PLOT_HEIGHT } from './chart-placeholder.tsx'
import { type ChartSeries, type Fold, seriesAt, totalOfDay, type ValueFormat, valuesOfDay } from './chart-series.ts'
import type { DayAxis, ValueAxis } from './geometry.ts'
import { isolated, toggled, Legend, Swatch, textureUrl, Textures } from './legend.tsx'
import { type DayName, Plot, type PlotFrame } from './plot.tsx'
import { seriesFill, seriesTexture } from './series-colours.ts'
import { chartTexts } from './texts/chart-texts.ts'

interface StackedBarChartProps {
  readonly title: string
  readonly unit: string
  readonly actions?: ReactNode
  readonly days: readonly DayName[]
  /** Largest first: the first is at the bottom. */
  readonly series: readonly ChartSeries[]
  readonly format: ValueFormat
  readonly day: number | undefined
  readonly onDay: (day: number | undefined) => void
  /** Opens the data behind a day, or that of one series if one was pressed. */
  readonly onOpen?: ((day: number, key: string | undefined) => void) | undefined
  /** Link to the data behind a series, shown after its name in the legend. */
  readonly linkOf?: ((key: string) => ReactNode) | undefined
  readonly fold?: Fold | undefined
}

const LINES = 5
/** Series spoken by name; the others are only counted. */
const SPOKEN_SERIES = 5

/** The tooltip lists at most this many series, because each makes it taller. */
const NAMED_SERIES = 16

/** Bars by day, one layer per series. The legend hides, isolates and highlights series. */
export function StackedBarChart(props: StackedBarChartProps) {
  const { title, unit, actions, days, series, format, day, onDay, onOpen, linkOf, fold } = props
  const t = useTexts(chartTexts)
  const textures = useId()
  const { hidden, shown, toggle, isolate } = useShownSeries(series)
  const [highlighted, setHighlighted] = useState<string>()
  return (
    <ChartFrame
      title={title}
      unit={unit}
      actions={actions}
      height={PLOT_HEIGHT.bars}
      empty={series.length === 0}
      days={days}
      series={series}
      total={t.total}
      format={format}
    >
      <div className="flex min-w-0 flex-col gap-4 @2xl:flex-row">
        <div className="min-w-0 grow">
          <Plot
            label={title}
            days={days}
            height={PLOT_HEIGHT.bars}
            max={stackedMax(shown, days.length)}
            lines={LINES}
            format={format}
            day={day}
            onDay={onDay}
            onOpen={onOpen && ((index, value) => onOpen(index, keyAt(shown, index, value)))}
            describe={(index) => spokenDay(t, { name: days[index]?.long ?? '', series: shown, day: index, format })}
            tooltip={(index) => <DayValues series={shown} day={index} format={format} textures={textures} />}
          >
            {(frame) => <Bars frame={frame} series={shown} highlighted={highlighted} textures={textures} />}
          </Plot>
        </div>
        <div className="flex max-h-44 min-w-0 @2xl:max-h-70 @2xl:w-60 @2xl:shrink-0">
          <Legend
            label={title}
            series={series}
            hidden={hidden}
            textures={textures}
            format={format.axis}
            onToggle={toggle}
            onIsolate={isolate}
            onHighlight={setHighlighted}
            linkOf={linkOf}
            fold={fold}
          />
        </div>
      </div>
    </ChartFrame>
  )
}

function useShownSeries(series: readonly ChartSeries[]) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const keys = series.map(({ key }) => key)
  return {
    hidden,
    shown: series.filter(({ key }) => !hidden.has(key)),
    toggle: (key: string) => setHidden((before) => toggled(before, key)),
    isolate: (key: string) => setHidden((before) => isolated(before, key, keys)),
  }
}

interface SpokenDay {
  readonly name: string
  readonly series: readonly ChartSeries[]
  readonly day: number
  readonly format: ValueFormat
}

function spokenDay(t: typeof chartTexts.en, { name, series, day, format }: SpokenDay): string {
  const values = valuesOfDay(series, day)
  if (values.length === 0) return t.spokenDay(name, t.noUsage)
  const named = values.slice(0, SPOKEN_SERIES)
  const parts = [
    t.spokenTotal(format.exact(totalOfDay(series, day))),
    ...named.map((one) => t.spokenValue(one.series.name, format.exact(one.value))),
  ]
  if (values.length > named.length) parts.push(t.more(values.length - named.length))
  return t.spokenDay(name, parts.join(', '))
}

function keyAt(series: readonly ChartSeries[], day: number, value: number | undefined): string | undefined {
  return value === undefined ? undefined : seriesAt(series, day, value)?.key
}

/** For narrower days, edges and textures would hide the colours. */
const DETAIL_FROM_PX = 7

interface BarsProps {
  readonly frame: PlotFrame
  readonly series: readonly ChartSeries[]
  readonly highlighted: string | undefined
  readonly textures: string
}

function Bars({ frame, series, highlighted, textures }: BarsProps) {
  const paths = stackedBars(series, frame.days, frame.values)
  const detailed = frame.days.step >= DETAIL_FROM_PX
  const known = series.some(({ key }) => key === highlighted)
  return (
    <>
      <Textures id={textures} />
      {paths.map(({ key, d }, index) => {
        const colour = series[index]?.colour
        const texture = seriesTexture(colour)
        return (
          <g key={key} opacity={known && key !== highlighted ? 0.25 : 1}>
            <path d={d} fill={seriesFill(colour)} className={detailed ? 'stroke-surface' : undefined} />
            {detailed && texture !== 'plain' && <path d={d} fill={textureUrl(textures, texture)} />}
          </g>
        )
      })}
    </>
  )
}

interface DayValuesProps {
  readonly series: readonly ChartSeries[]
  readonly day: number
  readonly format: ValueFormat
  readonly textures: string
}

function DayValues({ series, day, format, textures }: DayValuesProps) {
  const t = useTexts(chartTexts)
  const values = valuesOfDay(series, day)
  if (values.length === 0) return <p className="text-muted">{t.noUsage}</p>
  const left = values.slice(NAMED_SERIES)
  return (
    <ul className="flex flex-col gap-0.5">
      {values.slice(0, NAMED_SERIES).map(({ series: one, value }) => (
        <li key={one.key} className="flex items-center gap-2">
          <Swatch colour={one.colour} id={textures} />
          <span className="min-w-0 grow truncate">{one.name}</span>
          <span className="tabular-nums">{format.exact(value)}</span>
        </li>
      ))}
      {left.length > 0 && (
        <li className="text-muted flex justify-between gap-4">
          <span>{t.more(left.length)}</span>
          <span className="tabular-nums">{format.exact(left.reduce((sum, { value }) => sum + value, 0))}</span>
        </li>
      )}
      <li className="border-line mt-1 flex justify-between gap-4 border-t pt-1 font-medium">
        <span>{t.total}</span>
        <span className="tabular-nums">{format.exact(totalOfDay(series, day))}</span>
      </li>
    </ul>
  )
}

const WIDEST_BAR_PX = 56
/** Fraction of a day that a bar fills; for narrower days, a gap would only flicker. */
const FILLED = 0.78
const GAP_FROM_PX = 5

/** The bars of a series as one SVG path, so that a year of fifteen series is fifteen elements, not five thousand. */
export interface BarPath {
  readonly key: string
  readonly d: string
}

export function stackedBars(series: readonly ChartSeries[], days: DayAxis, values: ValueAxis): readonly BarPath[] {
  const width = Math.min(WIDEST_BAR_PX, days.step < GAP_FROM_PX ? days.step : days.step * FILLED)
  const sums = Array.from({ length: days.count }, () => 0)
  return series.map(({ key, values: amounts }) => {
    const bars = sums.map((below, day) => {
      const above = below + (amounts[day] ?? 0)
      if (above <= below) return ''
      sums[day] = above
      const top = values.y(above)
      const height = values.y(below) - top
      return `M${round(days.x(day) - width / 2)} ${round(top)}h${round(width)}v${round(height)}h${round(-width)}z`
    })
    return { key, d: bars.join('') }
  })
}

export function stackedMax(series: readonly ChartSeries[], dayCount: number): number {
  let max = 0
  for (let day = 0; day < dayCount; day += 1) {
    max = Math.max(
      max,
      series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
    )
  }
  return max
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
