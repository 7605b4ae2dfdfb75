import type { Timers } from '@sluice/ledger/timers'
import { otlpBody, type SpanSource } from '@sluice/observe/tracing/otlp-json'
import type { Span } from '@sluice/observe/tracing/span'
import type { FetchGuarded, Outcome } from '../outbound/guarded-fetch.ts'

/** Sends spans to a collector, in batches, one at a time. */
export interface SpanExporter {
  /** Returns at once. Spans beyond the number that can wait are dropped and counted. */
  add(spans: readonly Span[]): void
  /** Sends the waiting spans, in one attempt, within a few seconds. */
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
  /** Called with the number of spans that were sent or dropped. */
  readonly onSpans: (outcome: 'sent' | 'dropped', count: number) => void
  /** Called with the reason for dropped spans, at most once per interval. */
  readonly onTrouble: (reason: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Spans that can wait; about 3 MB. */
const CAPACITY = 4_096
/** Spans in one export: writing them delays everything else by about 1.5 ms. */
const BATCH = 256
const SEND_MS = 5_000
const TIMEOUT_MS = 10_000
/** When the process ends, it does not wait long for a collector. */
const LAST_TIMEOUT_MS = 2_000
const RETRY_MS = [1_000, 2_000, 4_000] as const
const MOST_PAUSE_MS = 30_000
const TROUBLE_MS = 60_000
/** Statuses after which OTLP wants the same export again: https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function openSpanExporter(parts: SpanExporterParts): SpanExporter {
  return new BatchExporter(parts)
}

class BatchExporter implements SpanExporter {
  readonly #parts: SpanExporterParts
  readonly #closing = new AbortController()
  readonly #stop: () => void
  #waiting: Span[] = []
  #sending: Promise<void> | undefined
  #troubleAt = -Infinity

  constructor(parts: SpanExporterParts) {
    this.#parts = parts
    this.#stop = parts.timers.every(SEND_MS, () => this.#send())
  }

  add(spans: readonly Span[]): void {
    const room = CAPACITY - this.#waiting.length
    if (spans.length > room) return this.#drop(spans.length, 'it accepted fewer spans than there were')
    for (const span of spans) this.#waiting.push(span)
    if (this.#waiting.length >= BATCH) this.#send()
  }

  #send(): void {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closing.signal.aborted) {
      const batch = this.#waiting.slice(0, BATCH)
      this.#waiting = this.#waiting.slice(BATCH)
      await this.#deliver(batch)
    }
  }

  async #deliver(batch: readonly Span[]): Promise<void> {
    const { timers, onSpans } = this.#parts
    const { signal } = this.#closing
    for (let tried = 0; ; tried++) {
      const outcome = await this.#post(batch, TIMEOUT_MS, signal)
      if (outcome.ok && outcome.status < 300) return onSpans('sent', batch.length)
      const wait = RETRY_MS[tried]
      const mayRepeat = outcome.ok ? RETRIED.has(outcome.status) : outcome.fault !== 'refused'
      if (signal.aborted) {
        // The batch is sent with the last export.
        this.#waiting = [...batch, ...this.#waiting]
        return
      }
      if (wait === undefined || !mayRepeat) {
        return this.#drop(batch.length, outcome.ok ? `it answered ${outcome.status}` : outcome.reason)
      }
      await pause(timers, Math.max(wait, retryAfter(outcome)), signal)
    }
  }

  #post(batch: readonly Span[], timeoutMs: number, signal: AbortSignal): Promise<Outcome> {
    const { endpoint, headers: secretHeaders, source, fetchGuarded } = this.#parts
    return fetchGuarded({
      method: 'POST',
      url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
      headers: { 'content-type': 'application/json' },
      secretHeaders,
      body: otlpBody(batch, source),
      timeoutMs,
      signal,
    })
  }

  #drop(count: number, reason: string): void {
    const { onSpans, onTrouble, now } = this.#parts
    onSpans('dropped', count)
    if (Math.abs(now() - this.#troubleAt) < TROUBLE_MS) return
    this.#troubleAt = now()
    onTrouble(reason)
  }

  async close(): Promise<void> {
    this.#stop()
    this.#closing.abort()
    await this.#sending
    if (this.#waiting.length === 0) return
    const outcome = await this.#post(this.#waiting, LAST_TIMEOUT_MS, AbortSignal.timeout(LAST_TIMEOUT_MS))
    if (outcome.ok && outcome.status < 300) this.#parts.onSpans('sent', this.#waiting.length)
    else this.#drop(this.#waiting.length, 'the gateway stopped')
  }
}

function pause(timers: SpanExporterParts['timers'], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const stop = timers.after(ms, end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/** The wait that a collector asks for: whole seconds, as milliseconds; bounded. */
function retryAfter(outcome: Outcome): number {
  const seconds = outcome.ok ? Number(outcome.headers['retry-after'] ?? 0) : 0
  return Number.isFinite(seconds) ? Math.min(MOST_PAUSE_MS, seconds * 1_000) : 0
}
