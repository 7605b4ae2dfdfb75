/** How Gemini streams to a client: events with `?alt=sse`, otherwise one JSON list that grows. */
export type GeminiFraming = 'sse' | 'json-array'

/** Writes the messages of one stream, each given as JSON text. For events it must be on one line. */
export class StreamFraming {
  readonly #framing: GeminiFraming
  #hasBegun = false

  constructor(framing: GeminiFraming) {
    this.#framing = framing
  }

  message(json: string): Uint8Array {
    return encode(this.#framing === 'sse' ? `data: ${json}\n\n` : this.#begin() + json)
  }

  /** The last message, with what ends the stream. */
  last(json: string): Uint8Array {
    return encode(this.#framing === 'sse' ? `data: ${json}\n\n` : `${this.#begin()}${json}]`)
  }

  /** What ends a stream whose last message was sent before. */
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
