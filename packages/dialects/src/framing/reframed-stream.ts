import type { Frame } from '../canon/codec.ts'
import type { UpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import type { AnswerStream } from './answer-stream.ts'
import type { FrameReader } from './frames.ts'
import type { SseRelayEnd, SseRelayState } from './sse-relay.ts'

/** Relays events of the client's dialect that arrive in another framing (Claude on Bedrock), unchanged, as an event stream. */
export function openReframedStream(frames: FrameReader, events: AnswerStream): AnswerStream {
  return new ReframedStream(frames, events)
}

class ReframedStream implements AnswerStream {
  readonly #frames: FrameReader
  readonly #events: AnswerStream

  constructor(frames: FrameReader, events: AnswerStream) {
    this.#frames = frames
    this.#events = events
  }

  get state(): SseRelayState {
    return this.#frames.fault === undefined || this.#events.state !== 'open' ? this.#events.state : 'too_large'
  }
  get terminal(): Uint8Array {
    return this.#events.terminal
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
  get ids(): readonly string[] | undefined {
    return this.#events.ids
  }
  get objects(): readonly string[] | undefined {
    return this.#events.objects
  }
  get repeated(): JsonObject | undefined {
    return this.#events.repeated
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    return this.#pass(this.#frames.push(chunk))
  }

  end(): SseRelayEnd {
    const forward = this.#pass(this.#frames.end())
    const end = this.#events.end()
    const { fault } = this.#frames
    if (fault !== undefined && end.outcome === 'broken') return { ...end, reason: fault, forward }
    return { ...end, forward: [...forward, ...end.forward] }
  }

  #pass(frames: readonly Frame[]): readonly Uint8Array[] {
    if (frames.length === 0) return []
    return this.#events.push(new TextEncoder().encode(frames.map(eventOf).join('')))
  }
}

function eventOf({ name, data }: Frame): string {
  if (name.startsWith(EXCEPTION)) return `event: error\ndata: ${errorData(name.slice(EXCEPTION.length), data)}\n\n`
  const named = name === '' || LINE_END.test(name) ? '' : `event: ${name}\n`
  return `${named}data: ${data.replace(LINE_ENDS, '\ndata: ')}\n\n`
}

const LINE_END = /[\r\n]/
const LINE_ENDS = /\r\n|\r|\n/g

const EXCEPTION = 'exception:'

/** The carrier's own error, in the format of the dialect that it carries. */
function errorData(type: string, data: string): string {
  const message = asObject(parseJson(data))?.['message']
  return JSON.stringify({ type: 'error', error: { type, message: typeof message === 'string' ? message : type } })
}
