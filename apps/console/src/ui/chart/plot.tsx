import { clsx } from 'clsx'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { ValueFormat } from './chart-series.ts'
import {
  type DayAxis,
  dayAxis,
  labelledDays,
  type PlotArea,
  plotArea,
  type ValueAxis,
  valueAxis,
  valueTicks,
} from './geometry.ts'
import { Tooltip, useWidth } from './tooltip.tsx'

export interface DayName {
  /** For files: `2026-11-14`. */
  readonly iso: string
  /** For the axis: `Nov 14`. */
  readonly short: string
  /** For speech, tooltip and table: `Friday, November 14`. */
  readonly long: string
}

export interface PlotFrame {
  readonly area: PlotArea
  readonly days: DayAxis
  readonly values: ValueAxis
}

interface PlotProps {
  /** Name of the plot, under which screen readers announce the day slider. */
  readonly label: string
  readonly days: readonly DayName[]
  readonly height: number
  readonly max: number
  /** Approximate number of lines on the value axis. */
  readonly lines: number
  readonly format: ValueFormat
  /** The day under the cursor; charts that are shown together share it. */
  readonly day: number | undefined
  readonly onDay: (day: number | undefined) => void
  /** Opens the data behind a day: on Enter, and on a mouse press at the height of `value`. A touch only shows values. */
  readonly onOpen?: ((day: number, value: number | undefined) => void) | undefined
  readonly describe: (day: number) => string
  readonly tooltip: (day: number) => ReactNode
  readonly children: (frame: PlotFrame) => ReactNode
}

const LABEL_PX = 56

/**
 * Axes, cursor and tooltip around a chart's marks. The cursor follows the pointer; for the keyboard the chart is a slider along the
 * days, so that screen readers speak each day's values.
 */
export function Plot(props: PlotProps) {
  const { days, height, format, day, onDay, onOpen } = props
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  const [looking, setLooking] = useState(false)
  const last = days.length - 1
  const ticks = valueTicks(props.max, props.lines, !format.fractions)
  const area = plotArea(width, height, ticks.map(format.axis))
  const axis = dayAxis(days.length, area)
  const values = valueAxis(props.max, props.lines, !format.fractions, area)

  const lookAt = (next: number | undefined) => {
    setLooking(next !== undefined)
    onDay(next)
  }
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    lookAt(axis.at(event.clientX - event.currentTarget.getBoundingClientRect().left))
  }
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    if (onOpen === undefined || isTouch(event.nativeEvent)) return
    const { left, top } = event.currentTarget.getBoundingClientRect()
    onOpen(axis.at(event.clientX - left), values.at(event.clientY - top))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onOpen?.(day ?? last, undefined)
    const next = nextDay(event.key, day ?? last, last)
    if (next === undefined && event.key !== 'Escape') return
    event.preventDefault()
    lookAt(next)
  }
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, day ?? last)}
      aria-valuetext={props.describe(day ?? last)}
      onClick={onClick}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={(event) => event.pointerType !== 'touch' && lookAt(undefined)}
      onFocus={() => lookAt(day ?? last)}
      onBlur={() => lookAt(undefined)}
      onKeyDown={onKeyDown}
      className={clsx('relative w-full min-w-0 touch-pan-y rounded-sm select-none', onOpen && 'cursor-pointer')}
      style={{ height }}
    >
      {width > 0 && (
        <svg width={width} height={height} className="absolute inset-0 block overflow-visible" aria-hidden="true">
          <ValueLines values={values} area={area} format={format} />
          <DayLabels days={days} axis={axis} area={area} />
          {day !== undefined && <Cursor axis={axis} area={area} day={day} />}
          {props.children({ area, days: axis, values })}
        </svg>
      )}
      {looking && day !== undefined && width > 0 && (
        <Tooltip x={axis.x(day)} gap={tooltipGap(axis)} width={width} title={days[day]?.long ?? ''}>
          {props.tooltip(day)}
        </Tooltip>
      )}
    </div>
  )
}

function isTouch(event: Event): boolean {
  return event instanceof window.PointerEvent && event.pointerType === 'touch'
}

const TOOLTIP_GAP_PX = { least: 14, most: 44 } as const

function tooltipGap({ step }: DayAxis): number {
  return Math.min(TOOLTIP_GAP_PX.most, Math.max(TOOLTIP_GAP_PX.least, step / 2 + 4))
}

const WEEK = 7

function nextDay(key: string, at: number, last: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, at + 1)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, at - 1)
  if (key === 'PageUp') return Math.min(last, at + WEEK)
  if (key === 'PageDown') return Math.max(0, at - WEEK)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

function ValueLines({ values, area, format }: { values: ValueAxis; area: PlotArea; format: ValueFormat }) {
  return values.ticks.map((tick) => (
    <g key={tick}>
      <line
        x1={area.left}
        x2={area.right}
        y1={Math.round(values.y(tick)) + 0.5}
        y2={Math.round(values.y(tick)) + 0.5}
        className={tick === 0 ? 'stroke-control/70' : 'stroke-line'}
      />
      <text
        x={area.left - 6}
        y={values.y(tick)}
        dy="0.32em"
        textAnchor="end"
        className="fill-muted text-[0.6875rem] tabular-nums"
      >
        {format.axis(tick)}
      </text>
    </g>
  ))
}

function DayLabels({ days, axis, area }: { days: readonly DayName[]; axis: DayAxis; area: PlotArea }) {
  return labelledDays(axis, area, LABEL_PX).map((index) => (
    <text
      key={index}
      x={axis.x(index)}
      y={area.bottom + 16}
      textAnchor="middle"
      className="fill-muted text-[0.6875rem] tabular-nums"
    >
      {days[index]?.short}
    </text>
  ))
}

function Cursor({ axis, area, day }: { axis: DayAxis; area: PlotArea; day: number }) {
  const width = Math.max(axis.step, 2)
  return (
    <rect
      x={axis.x(day) - width / 2}
      y={area.top}
      width={width}
      height={area.bottom - area.top}
      className="fill-accent/12"
    />
  )
}
