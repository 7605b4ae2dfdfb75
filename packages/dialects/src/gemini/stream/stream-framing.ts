/** Events for a client with `?alt=sse`, otherwise one JSON list that grows. */
export type GeminiFraming = 'sse' | 'json-array'

/** Writes the messages of one stream, given as JSON text; for events, it must be on one line. */
export class StreamFraming {
  readonly #framing: GeminiFraming
  #hasBegun = false

  constructor(framing: GeminiFraming) {
    this.#framing = framing
  }

  message(json: string): Uint8Array {
    return encode(this.#framing === 'sse' ? `data: ${json}\n\n` : this.#begin() + json)
  }

  /** The last message and the end of the stream. */
  last(json: string): Uint8Array {
    return encode(this.#framing === 'sse' ? `data: ${json}\n\n` : `${this.#begin()}${json}]`)
  }

  /** The end of a stream whose last message was already sent. */
  end(): Uint8Array {
    if (this.#framing === 'sse') return encode('')
    return encode(this.#hasBegun ? ']' : '[]')
  }

  #begin(): string {
    const before = this.#hasBegun ? ',\r\n' : '['
    this.#hasBegun = true
    return before
  }
}

const ENCODER = new TextEncoder()
const encode = (text: string) => ENCODER.encode(text)
