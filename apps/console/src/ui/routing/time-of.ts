import { formatDateTime } from '../../lib/format/date.ts'

/** The moment on the clock of the day, for rests, which last minutes. Takes unix milliseconds. */
export function timeOf(unixMs: number): string {
  return formatDateTime(unixMs / 1_000).slice(-8)
}
