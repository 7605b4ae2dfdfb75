const HEAD_END = '\r\n\r\n'
const CHUNKS_END = '\r\n0\r\n\r\n'

/**
 * Follows one HTTP/1.1 message on a connection, only as far as its head and its end, because parsing every byte would cost more
 * than the measured work. A body has a length or chunks without trailers; a message with neither ends with its head. JSON and
 * events have no line that is only a zero, so none of them can pass for the last chunk.
 */
export class MessageReader {
  #head = ''
  #isHeadWhole = false
  #left = 0
  #isChunked = false
  /** The last bytes, as many as the end of the chunks has. */
  #tail = ''

  /** Start line and headers. */
  get head(): string {
    return this.#head
  }

  get isWhole(): boolean {
    return this.#isHeadWhole && (this.#isChunked ? this.#tail === CHUNKS_END : this.#left <= 0)
  }

  /** Takes the next bytes and returns those of the body among them, including chunk sizes. */
  read(piece: Buffer): Buffer {
    const body = this.#isHeadWhole ? piece : this.#readHead(piece)
    if (this.#isChunked) {
      const last = body.toString('latin1', Math.max(0, body.length - CHUNKS_END.length))
      this.#tail = (this.#tail + last).slice(-CHUNKS_END.length)
    } else {
      this.#left -= body.length
    }
    return body
  }

  #readHead(piece: Buffer): Buffer {
    const text = this.#head + piece.toString('latin1')
    const end = text.indexOf(HEAD_END)
    this.#head = end === -1 ? text : text.slice(0, end)
    if (end === -1) return piece.subarray(piece.length)
    this.#isHeadWhole = true
    this.#isChunked = /^transfer-encoding: *chunked/im.test(this.#head)
    this.#left = Number(/^content-length: *(\d+)/im.exec(this.#head)?.[1] ?? 0)
    // An empty body also ends with a line that is only a zero.
    this.#tail = '\r\n'
    return piece.subarray(piece.length - (text.length - end - HEAD_END.length))
  }
}
