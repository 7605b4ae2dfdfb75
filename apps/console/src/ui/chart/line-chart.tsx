import { useTexts } from '~/lib/i18n/i18n.ts'
import { ChartFrame } from './chart-frame.tsx'
import { PLOT_HEIGHT } from './chart-placeholder.tsx'
import type { ValueFormat } from './chart-series.ts'
import { type DayName, Plot, type PlotFrame } from './plot.tsx'
import { chartTexts } from './texts/chart-texts.ts'

interface LineChartProps {
  readonly title: string
  readonly unit: string
  readonly days: readonly DayName[]
  readonly values: readonly number[]
  readonly format: ValueFormat
  readonly day: number | undefined
  readonly onDay: (day: number | undefined) => void
  readonly onOpen?: ((day: number) => void) | undefined
}

const LINES = 3

export function LineChart({ title, unit, days, values, format, day, onDay, onOpen }: LineChartProps) {
  const t = useTexts(chartTexts)
  const exact = (index: number) => format.exact(values[index] ?? 0)
  return (
    <ChartFrame
      title={title}
      unit={unit}
      height={PLOT_HEIGHT.line}
      empty={values.every((value) => value === 0)}
      days={days}
      series={[{ name: title, values, colour: undefined }]}
      format={format}
    >
      <Plot
        label={title}
        days={days}
        height={PLOT_HEIGHT.line}
        max={Math.max(0, ...values)}
        lines={LINES}
        format={format}
        day={day}
        onDay={onDay}
        onOpen={onOpen}
        describe={(index) => t.spokenDay(days[index]?.long ?? '', exact(index))}
        tooltip={(index) => <p className="tabular-nums">{exact(index)}</p>}
      >
        {(frame) => <Line frame={frame} values={values} day={day} />}
      </Plot>
    </ChartFrame>
  )
}

/** From this width of a day on, every day gets a point. */
const POINT_STEP_PX = 24

function Line({ frame, values, day }: { frame: PlotFrame; values: readonly number[]; day: number | undefined }) {
  const { area, days } = frame
  const y = (value: number) => frame.values.y(value)
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${days.x(index)} ${y(value)}`).join('')
  const under = `${line}L${days.x(values.length - 1)} ${area.bottom}L${days.x(0)} ${area.bottom}z`
  return (
    <>
      <path d={under} className="fill-accent/10" />
      <path d={line} fill="none" strokeWidth="1.75" strokeLinejoin="round" className="stroke-accent" />
      {values.map(
        (value, index) =>
          (index === day || days.step >= POINT_STEP_PX) && (
            <circle
              key={index}
              cx={days.x(index)}
              cy={y(value)}
              r={index === day ? 4 : 2.5}
              className="fill-accent stroke-surface"
            />
          ),
      )}
    </>
  )
}
