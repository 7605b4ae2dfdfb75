/** Providers refuse what was signed so long ago or ahead: Amazon after five minutes, Google and others after ten or less. */
const TOLERATED_MS = 5 * 60_000

/** Told with a refusal that may be about the time: it says nothing about the key, which must not be switched off (class S45). */
export const OFF_CLOCK = 'its clock differs from ours by minutes: set the clock'

/**
 * Whether a provider dated its reply (RFC 9110, 6.6.1) so far from `now`, in unix milliseconds, that a refusal may be about the time in
 * a signature or an assertion and says nothing about the key. Who names no date is taken to agree.
 */
export function clocksDiffer(date: string | undefined, now: number): boolean {
  return date !== undefined && Math.abs(Date.parse(date) - now) > TOLERATED_MS
}
