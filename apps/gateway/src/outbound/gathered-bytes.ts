/** The largest piece of memory that is allocated at once. */
const MOST_AT_ONCE = 1_048_576

/**
 * Bytes that arrive in pieces, copied into memory of their own. If pieces were kept as they arrive, one of a single byte would cost
 * a hundred, and keep alive the whole block that it was read into; with copies, `held` is the memory that is really used.
 */
export class GatheredBytes {
  size = 0
  /** Bytes of memory used; at most a little more than twice `size`, unless more was announced. */
  held = 0
  readonly #full: Buffer[] = []
  #last: Buffer = NOTHING
  #used = 0
  readonly #announced: number

  /** `announced`: how many bytes are expected, if that is known. If no more arrive, they need not be copied again in the end. */
  constructor(announced = 0) {
    this.#announced = announced
  }

  add(piece: Uint8Array): void {
    const fitting = Math.min(piece.length, this.#last.length - this.#used)
    if (fitting > 0) this.#last.set(fitting === piece.length ? piece : piece.subarray(0, fitting), this.#used)
    this.#used += fitting
    this.size += piece.length
    if (fitting < piece.length) this.#grow(fitting === 0 ? piece : piece.subarray(fitting))
  }

  /** All bytes in one piece. If there are several pieces, this takes `size` more bytes until the pieces are released. */
  whole(): Buffer {
    const last = this.#last.subarray(0, this.#used)
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.size)
  }

  #grow(rest: Uint8Array): void {
    if (this.#last.length > 0) this.#full.push(this.#last)
    // More often than not, the first piece is the only one.
    const more = this.held === 0 ? this.#announced : Math.min(this.held, MOST_AT_ONCE)
    this.#last = Buffer.allocUnsafeSlow(Math.max(rest.length, more))
    this.#last.set(rest)
    this.#used = rest.length
    this.held += this.#last.length
  }
}

const NOTHING = Buffer.alloc(0)
