import type { IncomingHttpHeaders } from 'node:http'

/** The longest wait that is respected; longer ones are shortened to this. */
const LONGEST_MS = 86_400_000

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

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_MS)
