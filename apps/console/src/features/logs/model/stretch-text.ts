import { formatDateTime } from '~/lib/format/date.ts'
import type { Window } from './histogram.ts'

const DAY_TEXT = '2026-11-20'.length
const MINUTE_TEXT = '2026-11-20 14:00'.length

/** `2026-11-20 14:00 – 15:59`: a time range in the browser's zone, to the minute; the second day only if it differs. */
export function stretchText({ start, end }: Window): string {
  const [from, to] = [start, end].map((at) => formatDateTime(at).slice(0, MINUTE_TEXT))
  if (from === undefined || to === undefined) return ''
  const sameDay = from.slice(0, DAY_TEXT) === to.slice(0, DAY_TEXT)
  return `${from} – ${sameDay ? to.slice(DAY_TEXT + 1) : to}`
}
