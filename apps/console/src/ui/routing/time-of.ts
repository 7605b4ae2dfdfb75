import { formatDateTime } from '~/lib/format/date.ts'

/** The time of day, for ends of cooldowns, which are minutes away. Takes unix milliseconds. */
export function timeOf(unixMs: number): string {
  return formatDateTime(unixMs / 1_000).slice(-8)
}

/** The same without seconds, where there is little room. */
export function minuteOf(unixMs: number): string {
  return timeOf(unixMs).slice(0, 5)
}
