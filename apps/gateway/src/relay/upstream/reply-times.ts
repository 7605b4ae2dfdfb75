import type { IncomingHttpHeaders } from 'node:http'

/** Providers refuse what was signed this far in the past or future: Amazon 5 minutes, Google and others 10 or less. */
const TOLERATED_MS = 5 * 60_000

/** Reported with a refusal that may be caused by the time: the key may be valid and must not be disabled (class S45). */
export const OFF_CLOCK = 'its clock and ours differ by minutes: set the clock'

/**
 * Whether the date of a provider's reply (RFC 9110, 6.6.1) is so far from `now`, in unix milliseconds, that a refusal may be caused
 * by the time in a signature or an assertion and says nothing about the key. A provider that does not send a date is assumed to
 * agree.
 */
export function clocksDiffer(date: string | undefined, now: number): boolean {
  return date !== undefined && Math.abs(Date.parse(date) - now) > TOLERATED_MS
}

/** The longest wait that is respected; longer ones are shortened to this. */
const LONGEST_WAIT_MS = 86_400_000

/**
 * Milliseconds that a provider asks callers to wait: `retry-after-ms` as some send it, `Retry-After` in seconds or as a date (RFC
 * 9110, 10.2.3). A date is measured against the provider's own `Date`, so no two clocks are compared; without one it is ignored.
 * Undefined when no wait was requested.
 */
export function waitOf(headers: IncomingHttpHeaders): number | undefined {
  const exact = headers['retry-after-ms']
  if (typeof exact === 'string' && /^\d{1,12}(\.\d{1,6})?$/.test(exact)) return bounded(Math.ceil(Number(exact)))
  const text = headers['retry-after']
  if (text === undefined) return undefined
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return bounded(Math.ceil(Number(text) * 1_000))
  const until = Date.parse(text)
  const sent = Date.parse(headers.date ?? '')
  return Number.isNaN(until) || Number.isNaN(sent) ? undefined : bounded(until - sent)
}

/** A requested wait, limited to what is respected. */
export function boundedWait(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : bounded(ms)
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
