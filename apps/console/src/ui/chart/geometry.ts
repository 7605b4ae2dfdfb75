import { nice, ticks } from 'd3-array'

/** In pixels of the chart's own box. */
export interface PlotArea {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const EDGE_PX = { top: 8, right: 10, bottom: 24 } as const
/** Character width of an axis label, in pixels. */
const CHARACTER_PX = 6.6
const LABEL_GAP_PX = 10

export function plotArea(width: number, height: number, tickLabels: readonly string[]): PlotArea {
  const longest = Math.max(0, ...tickLabels.map((label) => label.length))
  const left = Math.ceil(longest * CHARACTER_PX) + LABEL_GAP_PX
  return { left, right: Math.max(left + 1, width - EDGE_PX.right), top: EDGE_PX.top, bottom: height - EDGE_PX.bottom }
}

/** Days along the width, one band each. */
export interface DayAxis {
  readonly count: number
  readonly step: number
  x(index: number): number
  /** The day at a position, or the nearest day. */
  at(x: number): number
}

export function dayAxis(count: number, area: PlotArea): DayAxis {
  const step = (area.right - area.left) / Math.max(1, count)
  return {
    count,
    step,
    x: (index) => area.left + (index + 0.5) * step,
    at: (x) => Math.min(count - 1, Math.max(0, Math.floor((x - area.left) / step))),
  }
}

/** Values along the height, from zero. */
export interface ValueAxis {
  readonly ticks: readonly number[]
  y(value: number): number
  at(y: number): number
}

/** `whole` keeps half requests off the axis. */
export function valueTicks(max: number, wanted: number, whole: boolean): readonly number[] {
  if (max <= 0) return [0]
  return ticks(0, niceTop(max, wanted), wanted).filter((tick) => !whole || Number.isInteger(tick))
}

export function valueAxis(max: number, wanted: number, whole: boolean, area: PlotArea): ValueAxis {
  const pixelsPerUnit = (area.bottom - area.top) / niceTop(max, wanted)
  return {
    ticks: valueTicks(max, wanted, whole),
    y: (value) => area.bottom - value * pixelsPerUnit,
    at: (y) => (area.bottom - y) / pixelsPerUnit,
  }
}

function niceTop(max: number, wanted: number): number {
  return nice(0, max > 0 ? max : 1, wanted)[1]
}

/** Chosen so that labels of that width do not touch. The last day has a label if it fits. */
export function labelledDays(axis: DayAxis, area: PlotArea, labelWidth: number): readonly number[] {
  const stride = Math.max(1, Math.ceil(labelWidth / axis.step))
  const days: number[] = []
  for (let index = axis.count - 1; index >= 0; index -= stride) days.unshift(index)
  return days.filter((index) => axis.x(index) - labelWidth / 2 >= area.left - labelWidth / 3)
}
