import type { IncomingHttpHeaders } from 'node:http'

/** Signatures may be this old or this far in the future: Amazon tolerates 5 minutes, Google and others at most 10. */
const TOLERATED_MS = 5 * 60_000

/** Reported with a refusal that a wrong clock may have caused: the key may be valid and must not be disabled (class S45). */
export const OFF_CLOCK = 'its clock and ours differ by minutes: set the clock'

/**
 * Whether a reply's date (RFC 9110, 6.6.1) is so far from `now`, in unix milliseconds, that the time in a signature or assertion
 * may have caused a refusal, which then says nothing about the key. Without a date, the clocks are assumed to agree.
 */
export function clocksDiffer(date: string | undefined, now: number): boolean {
  return date !== undefined && Math.abs(Date.parse(date) - now) > TOLERATED_MS
}

/** Longer waits are shortened to this. */
const LONGEST_WAIT_MS = 86_400_000

/**
 * Milliseconds that a provider asks callers to wait: `retry-after-ms`, which some send, or `Retry-After` in seconds or as a date
 * (RFC 9110, 10.2.3). A date is relative to the provider's own `Date` and ignored without one, so no two clocks are compared.
 * Undefined if no wait was requested.
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

export function boundedWait(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : bounded(ms)
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
