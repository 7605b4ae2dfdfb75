import type { UpstreamError } from '../canon/upstream-error.ts'
import type { JsonObject } from '../json-value.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import { openSseRelay, type SseRelay, type SseRelayEnd, type SseRelayState, type SseSniffer } from './sse-relay.ts'

export interface AnswerSniffer extends SseSniffer {
  /** Usage reported by the upstream so far. */
  readonly report: UsageReport | undefined
  readonly error: UpstreamError | undefined
  /** The upstream's ids of the answer and its parts, if it stores them. */
  readonly ids?: readonly string[]
  /** Containers and files of the answer that can be used again. */
  readonly objects?: readonly string[]
  /** Members that an event added at the end must repeat. */
  readonly repeated?: JsonObject | undefined
}

/** A streamed answer passing from upstream to client. */
export interface AnswerStream extends SseRelay {
  /** Usage reported by the upstream so far. */
  readonly report: UsageReport | undefined
  /** Set when `state` is `failed`. */
  readonly error: UpstreamError | undefined
  /** The answer itself is complete: end of input without a terminal event is a proper end. */
  readonly finished: boolean
  /** As in `AnswerSniffer`. */
  readonly ids?: readonly string[] | undefined
  /** As in `AnswerSniffer`. */
  readonly objects?: readonly string[] | undefined
  /** As in `AnswerSniffer`. */
  readonly repeated?: JsonObject | undefined
}

export function openAnswerStream(sniffer: AnswerSniffer): AnswerStream {
  return new SniffedStream(sniffer)
}

class SniffedStream implements AnswerStream {
  readonly #sniffer: AnswerSniffer
  readonly #relay: SseRelay

  constructor(sniffer: AnswerSniffer) {
    this.#sniffer = sniffer
    this.#relay = openSseRelay(sniffer)
  }

  get state(): SseRelayState {
    return this.#relay.state
  }
  get terminal(): Uint8Array {
    return this.#relay.terminal
  }
  get report(): UsageReport | undefined {
    return this.#sniffer.report
  }
  get error(): UpstreamError | undefined {
    return this.#sniffer.error
  }
  get finished(): boolean {
    return this.#sniffer.finished
  }
  get ids(): readonly string[] | undefined {
    return this.#sniffer.ids
  }
  get objects(): readonly string[] | undefined {
    return this.#sniffer.objects
  }
  get repeated(): JsonObject | undefined {
    return this.#sniffer.repeated
  }
  push(chunk: Uint8Array): readonly Uint8Array[] {
    return this.#relay.push(chunk)
  }
  end(): SseRelayEnd {
    return this.#relay.end()
  }
}
