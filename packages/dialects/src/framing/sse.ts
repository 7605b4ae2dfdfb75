import { endsWithBlankLine } from './event-bytes.ts'

export interface SseEvent {
  /** `message` if the stream named no type. */
  readonly event: string
  /** Data lines joined by newlines. */
  readonly data: string
  /** The stream's last event id so far, empty at first. */
  readonly id: string
}

/** Longest event, in bytes as received; base64 images do occur in chunks. */
export const EVENT_LIMIT = 16 * 1024 * 1024

export interface SseParser {
  /** Takes the next bytes and returns the events they complete. After `overflowed` it returns nothing more. */
  push(chunk: Uint8Array): readonly SseEvent[]
  /** An event exceeded the limit; the stream cannot be read further. */
  readonly overflowed: boolean
}

const LF = 0x0a
const CR = 0x0d
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })
/** Drops a byte order mark. */
const UTF_8_AFTER_MARK = new TextDecoder()

/**
 * Parses an event stream according to the HTML standard: LF, CR and CRLF line ends, comments, a byte order mark at the start,
 * fields without a space after the colon. An event without its blank line at the end of input is discarded.
 */
export function openSseParser({ limit = EVENT_LIMIT }: { readonly limit?: number } = {}): SseParser {
  return new LineParser(limit)
}

class LineParser implements SseParser {
  overflowed = false

  readonly #limit: number
  /** Bytes of an unfinished line. */
  #rest = new Uint8Array(256)
  #restLength = 0
  /** Bytes of the finished lines of the unfinished event. */
  #eventBytes = 0
  #afterCr = false
  #atStart = true
  #data: string[] = []
  #event = ''
  #id = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Uint8Array): readonly SseEvent[] {
    const events: SseEvent[] = []
    if (this.#isWholeEvents(chunk)) {
      this.#takeText(UTF_8.decode(chunk), events)
      return events
    }
    let start = 0
    for (let i = 0; i < chunk.length && !this.overflowed; i++) {
      const byte = chunk[i]
      if (byte !== LF && byte !== CR) {
        this.#afterCr = false
        continue
      }
      if (byte === LF && this.#afterCr) {
        this.#afterCr = false
        start = i + 1
        continue
      }
      this.#afterCr = byte === CR
      this.#takeLine(chunk.subarray(start, i), events)
      start = i + 1
    }
    this.#keep(chunk.subarray(start))
    return events
  }

  /** True for nearly every chunk from a provider: whole events with plain line ends, and nothing left over from before. */
  #isWholeEvents(chunk: Uint8Array): boolean {
    const isBetweenEvents = this.#restLength === 0 && this.#eventBytes === 0 && !this.#afterCr && !this.#atStart
    return (
      isBetweenEvents &&
      !this.overflowed &&
      chunk.length <= this.#limit &&
      endsWithBlankLine(chunk) &&
      !chunk.includes(CR)
    )
  }

  #takeText(text: string, events: SseEvent[]): void {
    for (let at = 0; at < text.length;) {
      const end = text.indexOf('\n', at)
      if (end === at) this.#dispatch(events)
      else this.#readField(text.slice(at, end))
      at = end + 1
    }
  }

  #takeLine(tail: Uint8Array, events: SseEvent[]): void {
    let line = tail
    if (this.#restLength > 0) {
      this.#keep(tail)
      if (this.overflowed) return
      line = this.#rest.subarray(0, this.#restLength)
    }
    this.#restLength = 0
    this.#eventBytes += line.length + 1
    // This decoder drops a mark wherever it starts, so it may only be used for the first line.
    const text = (this.#atStart ? UTF_8_AFTER_MARK : UTF_8).decode(line)
    this.#atStart = false
    if (text === '') this.#dispatch(events)
    else this.#readField(text)
    if (this.#eventBytes > this.#limit) this.#overflow()
  }

  #readField(line: string): void {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0)
      events.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id })
    this.#data = []
    this.#event = ''
    this.#eventBytes = 0
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#restLength + bytes.length
    if (this.overflowed || this.#eventBytes + length > this.#limit) {
      this.#overflow()
      return
    }
    if (length > this.#rest.length) {
      const larger = new Uint8Array(Math.max(length, this.#rest.length * 2))
      larger.set(this.#rest.subarray(0, this.#restLength))
      this.#rest = larger
    }
    this.#rest.set(bytes, this.#restLength)
    this.#restLength = length
  }

  #overflow(): void {
    this.overflowed = true
    this.#rest = new Uint8Array()
    this.#restLength = 0
    this.#data = []
  }
}
