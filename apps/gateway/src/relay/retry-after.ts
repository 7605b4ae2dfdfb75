import type { IncomingHttpHeaders } from 'node:http'

/** Longer waits are no waits any more: whoever asks for one is taken to mean this. */
const LONGEST_MS = 86_400_000

/**
 * Milliseconds that a provider asks to be left alone: `retry-after-ms` as some send it, `Retry-After` in seconds or as a date
 * (RFC 9110, 10.2.3). A date is measured against the provider's own `Date`, so no two clocks are compared; without one it says
 * nothing. Undefined when nothing was asked for.
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

/** A wait that was asked for, as it is kept to. */
export function boundedWait(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : bounded(ms)
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_MS)
