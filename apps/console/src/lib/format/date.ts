import { UNKNOWN } from './units.ts'

/** `2026-03-09 14:05:09` in the browser's zone. Takes unix seconds. */
export function formatDateTime(unixSeconds: number): string {
  const at = new Date(unixSeconds * 1_000)
  if (!isMoment(at)) return UNKNOWN
  return `${formatLocalDay(at)} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')}`
}

/** `2026-03-09` in the browser's zone, as date inputs take it. */
export function formatLocalDay(at: Date): string {
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
}

/** `2026-03-09T14:05:09` in the browser's zone, as date-time inputs with `step="1"` take it. */
export function toDateTimeInput(at: Date): string {
  return formatDateTime(Math.floor(at.getTime() / 1_000)).replace(' ', 'T')
}

export function isoTime(unixSeconds: number): string | undefined {
  const at = new Date(unixSeconds * 1_000)
  return isMoment(at) ? at.toISOString() : undefined
}

/** False for an unknown time, and for one outside the range of dates. */
function isMoment(at: Date): boolean {
  return !Number.isNaN(at.getTime())
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `3 hours ago`, `in 2 days`; under a minute `now`. Both times in unix seconds. */
export function formatRelative(unixSeconds: number, nowSeconds: number, locale: string): string {
  const distance = unixSeconds - nowSeconds
  if (!isMoment(new Date(unixSeconds * 1_000))) return UNKNOWN
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  for (const [unit, seconds] of STEPS) {
    if (Math.abs(distance) >= seconds) return format.format(Math.trunc(distance / seconds), unit)
  }
  return format.format(0, 'second')
}

/** Name of the browser's time zone, such as `Europe/Berlin`. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Rounded up, in unix seconds; -1 (never) for an empty text, `undefined` when it is not a date. */
export function expiredTimeOf(text: string): number | undefined {
  if (text.trim() === '') return -1
  const milliseconds = new Date(text).getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.ceil(milliseconds / 1_000)
}

export function expiryText(expiredTime: number): string {
  return expiredTime <= 0 ? '' : toDateTimeInput(new Date(expiredTime * 1_000))
}

/** For cooldowns, which end within minutes. Takes unix milliseconds. */
export function timeOf(unixMs: number): string {
  return formatDateTime(unixMs / 1_000).slice(-8)
}

/** Like `timeOf`, without seconds. */
export function minuteOf(unixMs: number): string {
  return timeOf(unixMs).slice(0, 5)
}
