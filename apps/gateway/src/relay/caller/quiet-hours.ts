import type { Refusal } from '@sluice/contract/errors'
import type { QuietHours } from '@sluice/store/options/quiet-hours'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Clocks are set forward by at most two hours. */
const SHIFT_MINUTES = 120

/** By zone, because a formatter is expensive to create. */
const clocks = new Map<string, Intl.DateTimeFormat>()
/** Zones in use; there are about four hundred. */
const CLOCKS = 500

/**
 * The end of the quiet hours that contain `now`, in unix milliseconds; undefined outside them. Local time counts: an hour repeated
 * in autumn is quiet both times, and quiet hours that end in the hour skipped in spring end at the change.
 */
export function quietUntil(hours: QuietHours, now: number): number | undefined {
  if (!isQuiet(hours, now)) return undefined
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS
  let end = start
  // An hour that is repeated needs a second pass.
  for (let turns = 0; turns < 3 && isQuiet(hours, end); turns++) end += minutesLeft(hours, end) * MINUTE_MS
  // If clocks were set forward in between, `end` is now too late.
  for (let steps = 0; steps < SHIFT_MINUTES && end - MINUTE_MS > start && !isQuiet(hours, end - MINUTE_MS); steps++) {
    end -= MINUTE_MS
  }
  return end
}

function isQuiet(hours: QuietHours, at: number): boolean {
  const { from, to } = hours
  const minute = minuteOfDay(hours, at)
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

function minutesLeft(hours: QuietHours, at: number): number {
  return (hours.to - minuteOfDay(hours, at) + DAY_MINUTES) % DAY_MINUTES
}

function minuteOfDay({ zone }: QuietHours, at: number): number {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    if (clocks.size >= CLOCKS) clocks.clear()
    clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    clocks.set(zone, clock)
  }
  const [hour = 0, minute = 0] = clock.format(at).split(':').map(Number)
  return hour * 60 + minute
}

export function quietRefusal(until: number, now: number): Refusal {
  return paused(
    'the token’s quiet hours are in effect',
    `${endsAt(until)}. Its owner can change them.`,
    secondsUntil(until, now),
  )
}

/** `advice` says when the pause ends and who can end it earlier. */
export function paused(reason: string, advice: string, seconds: number): Refusal {
  return { code: 'session_paused', params: { reason, advice }, retryAfter: seconds }
}

export const endsAt = (until: number): string =>
  `The pause ends at ${new Date(until).toISOString().replace(/\.\d+Z$/, 'Z')}`
export const secondsUntil = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 1_000))
