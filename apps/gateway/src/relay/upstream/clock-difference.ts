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
