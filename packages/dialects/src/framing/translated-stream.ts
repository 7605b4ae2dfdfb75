import type { AnswerDecoder, AnswerEncoder } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import type { UpstreamError } from '../canon/upstream-error.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import type { AnswerStream } from './answer-stream.ts'
import type { FrameReader } from './frames.ts'
import type { SseRelayEnd, SseRelayState } from './sse-relay.ts'

/** Characters and an overhead for each event: encoders hold content back. Models' longest answers are a hundredth of this. */
const ANSWER_LIMIT = 64 * 1024 * 1024
const EVENT_COST = 64

/** Translates a provider's stream into another dialect: bytes → frames → events → bytes. */
export function openTranslatedStream(
  frames: FrameReader,
  decoder: AnswerDecoder,
  encoder: AnswerEncoder,
): AnswerStream {
  return new TranslatedStream(frames, decoder, encoder)
}

class TranslatedStream implements AnswerStream {
  state: SseRelayState = 'open'
  terminal: Uint8Array = new Uint8Array(0)
  report: UsageReport | undefined
  error: UpstreamError | undefined
  finished = false

  readonly #frames: FrameReader
  readonly #decoder: AnswerDecoder
  readonly #encoder: AnswerEncoder
  #given = 0

  constructor(frames: FrameReader, decoder: AnswerDecoder, encoder: AnswerEncoder) {
    this.#frames = frames
    this.#decoder = decoder
    this.#encoder = encoder
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    if (this.state !== 'open') return []
    const out: Uint8Array[] = []
    for (const frame of this.#frames.push(chunk)) {
      this.#take(this.#decoder.push(frame), out)
      if (this.#isOver()) return out
    }
    if (this.#frames.fault !== undefined) this.state = 'too_large'
    return out
  }

  end(): SseRelayEnd {
    const forward: Uint8Array[] = []
    if (this.state === 'open') {
      for (const frame of this.#frames.end()) this.#take(this.#decoder.push(frame), forward)
      if (!this.#isOver()) this.#take(this.#decoder.end(), forward)
    }
    return this.state === 'done'
      ? { outcome: 'complete', reason: '', forward }
      : { outcome: 'broken', reason: this.#breakReason(), forward }
  }

  /** Reads the state again, because it changes while events are processed. */
  #isOver(): boolean {
    return this.state !== 'open'
  }

  #breakReason(): string {
    if (this.#given > ANSWER_LIMIT) return `it exceeds ${ANSWER_LIMIT} characters`
    return (
      this.#frames.fault ?? (this.error === undefined ? 'it ended without a finish reason' : 'it reported an error')
    )
  }

  #take(events: readonly AnswerEvent[], out: Uint8Array[]): void {
    for (const event of events) {
      if (this.#isOver()) return
      switch (event.type) {
        case 'usage':
          this.report = event.report
          break
        case 'error':
          this.error = event.error
          this.state = 'failed'
          break
        case 'finish': {
          const { forward, terminal } = this.#encoder.finish(event, this.report?.counts)
          out.push(...forward)
          this.terminal = terminal
          this.finished = true
          this.state = 'done'
          break
        }
        default:
          this.#given += EVENT_COST + lengthOf(event)
          if (this.#given > ANSWER_LIMIT) this.state = 'too_large'
          else out.push(...this.#encoder.push(event))
      }
    }
  }
}

function lengthOf(event: AnswerEvent): number {
  if ('delta' in event) return event.delta.length
  return 'data' in event ? event.data.length : 0
}
