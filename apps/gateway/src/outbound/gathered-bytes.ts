/** The largest piece of memory allocated at once. */
const MOST_AT_ONCE = 1_048_576

/**
 * Copies bytes that arrive in pieces into separate memory. Kept as it is, a piece of one byte costs a hundred and keeps alive the
 * whole block that it was read into; with copies, `held` is the memory really used.
 */
export class GatheredBytes {
  size = 0
  /** Bytes of memory used; at most a little more than twice `size`, unless more was announced. */
  held = 0
  readonly #full: Buffer[] = []
  #last: Buffer = NOTHING
  #used = 0
  readonly #announced: number

  /** `announced`: the expected number of bytes, if known. If no more arrive, the result needs no further copy. */
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

  /** All bytes in one piece. Several pieces take `size` more bytes until they are released. */
  whole(): Buffer {
    const last = this.#last.subarray(0, this.#used)
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.size)
  }

  #grow(rest: Uint8Array): void {
    if (this.#last.length > 0) this.#full.push(this.#last)
    // Usually the first piece is the only one.
    const more = this.held === 0 ? this.#announced : Math.min(this.held, MOST_AT_ONCE)
    this.#last = Buffer.allocUnsafeSlow(Math.max(rest.length, more))
    this.#last.set(rest)
    this.#used = rest.length
    this.held += this.#last.length
  }
}

const NOTHING = Buffer.alloc(0)
