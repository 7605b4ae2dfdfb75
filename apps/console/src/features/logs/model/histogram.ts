import type { Data } from '@sluice/contract/route'
import type { logHistogram } from '@sluice/contract/routes/logs'
import { formatDateTime } from '~/lib/format/date.ts'
import { pointsOf } from '~/lib/format/quota.ts'

export type Histogram = Data<typeof logHistogram>

/** Unix seconds, inclusive. */
export interface Window {
  readonly start: number
  readonly end: number
}

export interface Bar extends Window {
  readonly entries: number
  readonly quota: number
}

/** The gateway divides a window into this many intervals. */
const BARS_MAX = 120

/**
 * The first and last bars are cut off at the window's ends. If older logs were cleared, the bars start after them, in finer
 * intervals.
 */
export function barsOf({ bucket_seconds: length, buckets }: Histogram, window: Window): readonly Bar[] {
  const last = Math.floor(window.end / length)
  const first = Math.max(Math.floor(window.start / length), last - BARS_MAX + 1)
  const count = last - first + 1
  const byStart = new Map(buckets.map((bucket) => [bucket.start, bucket]))
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const start = (first + at) * length
    const bucket = byStart.get(start)
    return {
      start: Math.max(start, window.start),
      end: Math.min(start + length - 1, window.end),
      entries: bucket?.entries ?? 0,
      quota: bucket === undefined ? 0 : pointsOf(bucket.quota, bucket.quota_exact),
    }
  })
}

export interface Brush {
  readonly anchor: number
  readonly head: number
}

export function windowOf(bars: readonly Bar[], { anchor, head }: Brush): Window | undefined {
  const first = bars[Math.min(anchor, head)]
  const last = bars[Math.max(anchor, head)]
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end }
}

/** Arrows move the selection, with Shift only one end of it. `undefined` for other keys. */
export function movedBrush(brush: Brush, key: string, extend: boolean, last: number): Brush | undefined {
  const to = {
    ArrowRight: brush.head + 1,
    ArrowUp: brush.head + 1,
    ArrowLeft: brush.head - 1,
    ArrowDown: brush.head - 1,
    PageUp: brush.head + 10,
    PageDown: brush.head - 10,
    Home: 0,
    End: last,
  }[key]
  if (to === undefined) return undefined
  const head = Math.min(last, Math.max(0, to))
  return { anchor: extend ? brush.anchor : head, head }
}

/** As a fraction of the plot; a value above zero is always visible. */
export function heightOf(value: number, max: number): number {
  return value <= 0 || max <= 0 ? 0 : Math.max(0.03, value / max)
}

const DAY_TEXT = '2026-11-20'.length
const MINUTE_TEXT = '2026-11-20 14:00'.length

/** `2026-11-20 14:00 – 15:59`, in the browser's zone; the second day only if it differs. */
export function stretchText({ start, end }: Window): string {
  const [from, to] = [start, end].map((at) => formatDateTime(at).slice(0, MINUTE_TEXT))
  if (from === undefined || to === undefined) return ''
  const sameDay = from.slice(0, DAY_TEXT) === to.slice(0, DAY_TEXT)
  return `${from} – ${sameDay ? to.slice(DAY_TEXT + 1) : to}`
}
