import { errorInside, readUpstreamError, type UpstreamError } from '../canon/upstream-error.ts'
import { asObject, parseJson } from '../json-value.ts'
import { openUsageStream, type UsageReader, type UsageReport, type UsageStream } from '../usage/usage-report.ts'
import { type AnswerSniffer, type AnswerStream, openAnswerStream } from './answer-stream.ts'
import type { EventClass } from './sse-relay.ts'
import { isTorn, TORN_EVENT } from './torn-event.ts'

export interface TypedEnd {
  /** Whether an event of this type completes its part of the answer. */
  readonly completes: (type: string) => boolean
  /** Requested parts: the event that completes the last one is held back as the end of the stream. */
  readonly parts: number
}

/**
 * Relays typed events (pictures, speech, transcripts). With fewer parts than requested, a stream ends with its input or `[DONE]`.
 */
export function openTypedStream(reader: UsageReader, end: TypedEnd): AnswerStream {
  return openAnswerStream(new TypedSniffer(reader, end))
}

/** Parses every event: they are few, because they do not carry text token by token. */
class TypedSniffer implements AnswerSniffer {
  error: UpstreamError | undefined
  finished = false

  readonly #usage: UsageStream
  readonly #completes: TypedEnd['completes']
  #partsLeft: number

  constructor(reader: UsageReader, { completes, parts }: TypedEnd) {
    this.#usage = openUsageStream(reader)
    this.#completes = completes
    this.#partsLeft = parts
  }

  get report(): UsageReport | undefined {
    return this.#usage.report()
  }

  wants(): boolean {
    return true
  }

  classify(data: string, name: string): EventClass {
    if (data.trim() === '[DONE]') return 'done'
    const event = asObject(parseJson(data))
    this.#usage.see(event)
    const type = event?.['type']
    const isError = name === 'error' || type === 'error'
    const given = isError ? readUpstreamError(new TextEncoder().encode(data)) : errorInside(event)
    const error = given ?? (event === undefined && isTorn(data) ? TORN_EVENT : undefined)
    if (error !== undefined) {
      this.error ??= error
      return 'fail'
    }
    if (typeof type !== 'string' || !this.#completes(type)) return 'forward'
    this.finished = true
    this.#partsLeft -= 1
    return this.#partsLeft === 0 ? 'done' : 'forward'
  }

  isWhole(data: string): boolean {
    return data.trim() === '[DONE]' || parseJson(data) !== undefined
  }
}
