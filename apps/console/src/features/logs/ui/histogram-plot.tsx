import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Tooltip, useWidth } from '~/ui/chart/tooltip.tsx'
import { type Bar, type Brush, heightOf, movedBrush, type Window, windowOf, stretchText } from '../model/histogram.ts'
import { logTexts } from '../texts/log-texts.ts'

/** Height of bars and labels together, in pixels. */
export const PLOT_PX = 76
const BARS_PX = 58
const TOOLTIP_GAP_PX = 12

interface HistogramPlotProps {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly valueOf: (bar: Bar) => number
  readonly onWindow: (window: Window) => void
}

/**
 * A drag, or a press on one bar, selects a time range. For the keyboard, the plot is a slider along the bars, which Shift widens
 * and Enter confirms. Time runs from left to right in every language.
 */
export function HistogramPlot({ label, bars, valueOf, onWindow }: HistogramPlotProps) {
  const t = useTexts(logTexts)
  const display = useSystemStatus()
  const hintId = useId()
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  const step = width / Math.max(1, bars.length)
  const { brush, at, dragging, hovered, handlers } = useBrush(bars, step, onWindow)
  const sums = (stretch: Brush) => {
    const { entries, quota } = sumOf(bars, stretch)
    return [formatCount(entries), formatQuota(quota, display, 4)] as const
  }
  const spoken = () => {
    const window = windowOf(bars, at)
    if (window === undefined) return ''
    const [rows, cost] = sums(at)
    const text = stretchText(window)
    return brush === undefined ? t.chart.spoken(text, rows, cost) : t.chart.spokenSelection(text, rows, cost)
  }
  const looked = dragging || brush !== undefined ? at.head : hovered
  const shown = looked === undefined ? undefined : ((brush && windowOf(bars, brush)) ?? bars[looked])
  return (
    <div
      {...handlers}
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={hintId}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, bars.length - 1)}
      aria-valuenow={Math.max(0, at.head)}
      aria-valuetext={spoken()}
      className="relative w-full min-w-0 cursor-crosshair touch-pan-y rounded-sm select-none"
      style={{ height: PLOT_PX }}
    >
      {width > 0 && (
        <svg width={width} height={PLOT_PX} className="absolute inset-0 block" aria-hidden="true">
          <Bars bars={bars} step={step} valueOf={valueOf} />
          {hovered !== undefined && !dragging && <Stretch from={hovered} to={hovered} step={step} />}
          {brush !== undefined && <Stretch from={brush.anchor} to={brush.head} step={step} chosen />}
          <line x1={0} x2={width} y1={BARS_PX + 0.5} y2={BARS_PX + 0.5} className="stroke-control/70" />
          <EdgeLabels bars={bars} width={width} />
        </svg>
      )}
      {shown !== undefined && looked !== undefined && (
        <Tooltip x={(looked + 0.5) * step} gap={TOOLTIP_GAP_PX} width={width} title={stretchText(shown)}>
          <HistogramValues values={sums(brush ?? { anchor: looked, head: looked })} />
        </Tooltip>
      )}
      <span id={hintId} className="sr-only">
        {t.chart.hint}
      </span>
    </div>
  )
}

/**
 * Bars are `step` pixels wide. While `brush` is undefined, nothing is selected and `at` is the last bar. `handlers` belong on the
 * element around the bars.
 */
function useBrush(bars: readonly Bar[], step: number, onWindow: (window: Window) => void) {
  const [brush, setBrush] = useState<Brush>()
  const [dragging, setDragging] = useState(false)
  const [hovered, setHovered] = useState<number>()
  const last = bars.length - 1
  const at = brush ?? { anchor: last, head: last }

  const barAt = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    return Math.min(last, Math.max(0, Math.floor(x / Math.max(1e-6, step))))
  }
  const clear = () => {
    setBrush(undefined)
    setDragging(false)
  }
  const select = (chosen: Brush) => {
    const window = windowOf(bars, chosen)
    clear()
    if (window !== undefined) onWindow(window)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0 || bars.length === 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const bar = barAt(event)
      setBrush({ anchor: bar, head: bar })
      setDragging(true)
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const bar = barAt(event)
      setHovered(bar)
      if (dragging && brush !== undefined) setBrush({ ...brush, head: bar })
    },
    onPointerUp: () => dragging && brush !== undefined && select(brush),
    onPointerCancel: clear,
    onPointerLeave: () => setHovered(undefined),
    onBlur: () => !dragging && setBrush(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      const moved = movedBrush(at, event.key, event.shiftKey, last)
      if (event.key === 'Escape' && brush !== undefined) clear()
      else if (event.key === 'Enter' && bars.length > 0) select(at)
      else if (moved !== undefined) setBrush(moved)
      else if (event.key !== 'Enter') return
      event.preventDefault()
    },
  }
  return { brush, at, dragging, hovered, handlers }
}

function sumOf(bars: readonly Bar[], { anchor, head }: Brush): Pick<Bar, 'entries' | 'quota'> {
  const chosen = bars.slice(Math.min(anchor, head), Math.max(anchor, head) + 1)
  return {
    entries: chosen.reduce((sum, { entries }) => sum + entries, 0),
    quota: chosen.reduce((sum, { quota }) => sum + quota, 0),
  }
}

/** A separate component, because the cursor moves more often than the bars change. */
function Bars({ bars, step, valueOf }: Pick<HistogramPlotProps, 'bars' | 'valueOf'> & { readonly step: number }) {
  const max = Math.max(0, ...bars.map(valueOf))
  const gap = step > 4 ? 1 : 0
  return bars.map((bar, index) => {
    const height = heightOf(valueOf(bar), max) * BARS_PX
    return height === 0 ? null : (
      <rect
        key={bar.start}
        x={index * step + gap / 2}
        y={BARS_PX - height}
        width={Math.max(1, step - gap)}
        height={height}
        className="fill-accent"
      />
    )
  })
}

function Stretch({ from, to, step, chosen = false }: { from: number; to: number; step: number; chosen?: boolean }) {
  const first = Math.min(from, to)
  const bars = Math.abs(to - from) + 1
  return (
    <rect
      x={first * step}
      y={0}
      width={bars * step}
      height={BARS_PX}
      className={chosen ? 'fill-accent/20 stroke-accent' : 'fill-accent/12'}
    />
  )
}

function EdgeLabels({ bars, width }: { bars: readonly Bar[]; width: number }) {
  const places = [
    { bar: bars[0], x: 0, anchor: 'start' },
    { bar: width < 480 ? undefined : bars[Math.floor(bars.length / 2)], x: width / 2, anchor: 'middle' },
    { bar: bars.at(-1), x: width, anchor: 'end' },
  ] as const
  return places.map(
    ({ bar, x, anchor }) =>
      bar !== undefined && (
        <text key={anchor} x={x} y={PLOT_PX - 3} textAnchor={anchor} className="fill-muted text-xs tabular-nums">
          {stretchText({ start: bar.start, end: bar.start }).split(' – ')[0]}
        </text>
      ),
  )
}

function HistogramValues({ values: [rows, cost] }: { values: readonly [rows: string, cost: string] }) {
  const t = useTexts(logTexts)
  return (
    <p className="text-muted tabular-nums">
      {t.chart.rowsCount(rows)} · {cost}
    </p>
  )
}
