import type { Timers } from '@sluice/ledger/timers'
import { otlpBody, type SpanSource } from '@sluice/observe/tracing/otlp-json'
import type { Span } from '@sluice/observe/tracing/span'
import type { FetchGuarded, Outcome } from '../outbound/guarded-fetch.ts'

/** Sends spans to a collector, in batches, one at a time. */
export interface SpanExporter {
  /** Returns at once. Spans beyond the number that can wait are dropped, and counted. */
  add(spans: readonly Span[]): void
  /** Sends what waits, once, within a few seconds. */
  close(): Promise<void>
}

export interface SpanExporterParts {
  /** The collector's address; `/v1/traces` is added. */
  readonly endpoint: string
  /** Sent with every export: keys of the collector's owner. */
  readonly headers: Readonly<Record<string, string>>
  readonly source: SpanSource
  readonly fetchGuarded: FetchGuarded
  readonly timers: Pick<Timers, 'every' | 'after'>
  /** Called with how many spans were sent or dropped. */
  readonly onSpans: (outcome: 'sent' | 'dropped', count: number) => void
  /** Called with why spans were dropped, at most once per interval. */
  readonly onTrouble: (reason: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Spans that can wait; about 3 MB. */
const CAPACITY = 4_096
/** Spans in one export: writing them holds up everything else for about 1.5 ms. */
const BATCH = 256
const SEND_MS = 5_000
const TIMEOUT_MS = 10_000
/** When the process ends, it does not wait long for a collector. */
const LAST_TIMEOUT_MS = 2_000
/** Pauses before an export is tried again. */
const RETRY_MS = [1_000, 2_000, 4_000] as const
const MOST_PAUSE_MS = 30_000
const TROUBLE_MS = 60_000
/** The statuses for which OTLP wants the same export again. https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function openSpanExporter(parts: SpanExporterParts): SpanExporter {
  const { source, fetchGuarded, timers, onSpans, now } = parts
  const url = `${parts.endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`
  const closing = new AbortController()
  let waiting: Span[] = []
  let sending: Promise<void> | undefined
  let troubleAt = -Infinity

  const drop = (count: number, reason: string): void => {
    onSpans('dropped', count)
    if (Math.abs(now() - troubleAt) < TROUBLE_MS) return
    troubleAt = now()
    parts.onTrouble(reason)
  }
  const post = (batch: readonly Span[], timeoutMs: number, signal: AbortSignal): Promise<Outcome> =>
    fetchGuarded({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      secretHeaders: parts.headers,
      body: otlpBody(batch, source),
      timeoutMs,
      signal,
    })
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        stop()
        closing.signal.removeEventListener('abort', end)
        resolve()
      }
      const stop = timers.after(ms, end)
      closing.signal.addEventListener('abort', end)
      if (closing.signal.aborted) end()
    })
  const deliver = async (batch: readonly Span[]): Promise<void> => {
    for (let tried = 0; ; tried++) {
      const outcome = await post(batch, TIMEOUT_MS, closing.signal)
      if (outcome.ok && outcome.status < 300) return onSpans('sent', batch.length)
      const wait = RETRY_MS[tried]
      const mayRepeat = outcome.ok ? RETRIED.has(outcome.status) : outcome.fault !== 'refused'
      if (closing.signal.aborted) {
        // It is sent with the last export.
        waiting = [...batch, ...waiting]
        return
      }
      if (wait === undefined || !mayRepeat) {
        return drop(batch.length, outcome.ok ? `it answered ${outcome.status}` : outcome.reason)
      }
      await pause(Math.max(wait, retryAfter(outcome)))
    }
  }
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !closing.signal.aborted) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      await deliver(batch)
    }
  }
  const send = (): void => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
  }
  const stop = timers.every(SEND_MS, send)
  return {
    add: (spans) => {
      const room = CAPACITY - waiting.length
      if (spans.length > room) return drop(spans.length, 'more spans came than it took')
      for (const span of spans) waiting.push(span)
      if (waiting.length >= BATCH) send()
    },
    close: async () => {
      stop()
      closing.abort()
      await sending
      if (waiting.length === 0) return
      const outcome = await post(waiting, LAST_TIMEOUT_MS, AbortSignal.timeout(LAST_TIMEOUT_MS))
      if (outcome.ok && outcome.status < 300) onSpans('sent', waiting.length)
      else drop(waiting.length, 'the gateway stopped')
    },
  }
}

/** How long a collector asks us to wait: whole seconds, as milliseconds; bounded. */
function retryAfter(outcome: Outcome): number {
  const seconds = outcome.ok ? Number(outcome.headers['retry-after'] ?? 0) : 0
  return Number.isFinite(seconds) ? Math.min(MOST_PAUSE_MS, seconds * 1_000) : 0
}
