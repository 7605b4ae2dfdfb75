import type { UpstreamError } from '../../canon/upstream-error.ts'
import type { AnswerStream } from '../../framing/answer-stream.ts'
import type { SseRelayEnd, SseRelayState } from '../../framing/sse-relay.ts'
import { openSseParser } from '../../framing/sse.ts'
import { parseJson } from '../../json-value.ts'
import type { UsageReport } from '../../usage/usage-report.ts'
import { StreamFraming } from './stream-framing.ts'

/** Puts the data of a relayed event stream, byte for byte, into the list that a client without `alt=sse` expects. */
export function openArrayStream(events: AnswerStream): AnswerStream {
  return new ArrayStream(events)
}

class ArrayStream implements AnswerStream {
  terminal: Uint8Array = new Uint8Array(0)

  readonly #events: AnswerStream
  readonly #parser = openSseParser()
  readonly #framing = new StreamFraming('json-array')

  constructor(events: AnswerStream) {
    this.#events = events
  }

  get state(): SseRelayState {
    return this.#events.state
  }
  get report(): UsageReport | undefined {
    return this.#events.report
  }
  get error(): UpstreamError | undefined {
    return this.#events.error
  }
  get finished(): boolean {
    return this.#events.finished
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    return this.#reframed(this.#events.push(chunk))
  }

  end(): SseRelayEnd {
    const { forward, ...end } = this.#events.end()
    const elements = this.#reframed(forward)
    const [last] = this.#dataOf([this.#events.terminal])
    if (end.outcome === 'complete') this.terminal = last === undefined ? this.#framing.end() : this.#framing.last(last)
    return { ...end, forward: elements }
  }

  #reframed(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return this.#dataOf(pieces).map((data) => this.#framing.message(data))
  }

  /** In an event stream, text that is not a message goes unnoticed; in a JSON list, it would make everything unreadable. */
  #dataOf(pieces: readonly Uint8Array[]): readonly string[] {
    const data = pieces.flatMap((piece) => this.#parser.push(piece).map((event) => event.data))
    return data.filter((text) => parseJson(text) !== undefined)
  }
}
