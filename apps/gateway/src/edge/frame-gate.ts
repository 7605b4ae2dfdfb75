const FINAL = 0x80
const LONG = 126
const LONGER = 127
const LENGTH = 0x7f
const OPCODE = 0x0f
const CONTINUATION = 0
const CONTROL = 8
const CLOSE = 8
/** Length of the mask in every client frame (RFC 6455, 5.3). */
const MASK_BYTES = 4
const LONGEST_HEAD = 14

export interface FrameGateOptions {
  /** Whether a message may arrive; called for each of its frames with the bytes announced so far. */
  readonly admits: (bytes: number) => boolean
  /** A message in several frames was not admitted. The reader already has its beginning, so the connection must end. */
  readonly onBroken: () => void
}

/**
 * Drops messages that are not admitted, by their announced length, before they fill memory. Everything else passes unchanged. The
 * reader of frames behind it could only end the connection.
 */
export class FrameGate {
  readonly #options: FrameGateOptions
  readonly #head = Buffer.alloc(LONGEST_HEAD)
  #headLength = 0
  /** Bytes of the current frame that have not arrived yet. */
  #left = 0
  #isDropped = false
  /** The current frame is the last of this connection. */
  #isLast = false
  /** Bytes so far of the message that arrives in several frames; undefined between such messages. */
  #message: number | undefined
  #isOver = false

  constructor(options: FrameGateOptions) {
    this.#options = options
  }

  end(): void {
    this.#isOver = true
  }

  /** Calls `feed` with the bytes that pass, in order. */
  pass(chunk: Buffer, feed: (piece: Buffer) => void): void {
    for (let at = 0; at < chunk.length && !this.#isOver;) {
      if (this.#left > 0) {
        const end = Math.min(chunk.length, at + this.#left)
        this.#left -= end - at
        if (!this.#isDropped) feed(chunk.subarray(at, end))
        at = end
        this.#endIfLast()
        continue
      }
      this.#head[this.#headLength++] = chunk[at++] ?? 0
      if (this.#headLength >= 2 && this.#headLength === this.#wantedHead()) this.#begin(feed)
    }
  }

  #wantedHead(): number {
    const length = (this.#head[1] ?? 0) & LENGTH
    return 2 + (length === LONGER ? 8 : length === LONG ? 2 : 0) + MASK_BYTES
  }

  #begin(feed: (piece: Buffer) => void): void {
    const head = this.#head.subarray(0, this.#headLength)
    const [first = 0, second = 0] = head
    const short = second & LENGTH
    this.#left = short === LONGER ? Number(head.readBigUInt64BE(2)) : short === LONG ? head.readUInt16BE(2) : short
    this.#headLength = 0
    const opcode = first & OPCODE
    this.#isDropped = opcode < CONTROL && !this.#admit(opcode, (first & FINAL) !== 0)
    // The reader keeps its input until the frame is complete.
    if (!this.#isDropped && !this.#isOver) feed(Buffer.from(head))
    this.#isLast = opcode === CLOSE
    this.#endIfLast()
  }

  /** After a close frame, a client may send anything. */
  #endIfLast(): void {
    if (this.#isLast && this.#left === 0) this.#isOver = true
  }

  #admit(opcode: number, isFinal: boolean): boolean {
    const { admits, onBroken } = this.#options
    const before = opcode === CONTINUATION ? (this.#message ?? 0) : 0
    const isAdmitted = admits(before + this.#left)
    if (isAdmitted || (isFinal && opcode !== CONTINUATION)) {
      this.#message = isFinal ? undefined : before + this.#left
      return isAdmitted
    }
    this.#isOver = true
    onBroken()
    return false
  }
}
