/** The largest piece of memory that is taken at once. */
const MOST_AT_ONCE = 1_048_576

/**
 * Bytes that come in pieces, copied into memory of their own. Kept as they come, a piece of one byte would cost a hundred, and
 * keep the whole block alive that it was read into; so `held` is what all of it truly takes.
 */
export class GatheredBytes {
  size = 0
  /** Bytes of memory; at most a little more than twice `size`. */
  held = 0
  private readonly full: Buffer[] = []
  private last: Buffer = NOTHING
  private used = 0

  add(piece: Uint8Array): void {
    const fitting = Math.min(piece.length, this.last.length - this.used)
    if (fitting > 0) this.last.set(fitting === piece.length ? piece : piece.subarray(0, fitting), this.used)
    this.used += fitting
    this.size += piece.length
    if (fitting < piece.length) this.grow(fitting === 0 ? piece : piece.subarray(fitting))
  }

  /** All of it in one piece. Takes `size` bytes more where there are several, until the rest of this is let go. */
  whole(): Buffer {
    const last = this.last.subarray(0, this.used)
    return this.full.length === 0 ? last : Buffer.concat([...this.full, last], this.size)
  }

  private grow(rest: Uint8Array): void {
    if (this.last.length > 0) this.full.push(this.last)
    // The first piece is the only one more often than not.
    const isFirst = this.held === 0
    this.last = Buffer.allocUnsafeSlow(Math.max(rest.length, isFirst ? 0 : Math.min(this.held, MOST_AT_ONCE)))
    this.last.set(rest)
    this.used = rest.length
    this.held += this.last.length
  }
}

const NOTHING = Buffer.alloc(0)
