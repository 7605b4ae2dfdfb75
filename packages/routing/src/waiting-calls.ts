/**
 * Calls that wait for their first byte. A provider that stalls fails no call for as long as callers are patient; what gives it
 * away is that nobody hears anything.
 */
export class WaitingCalls {
  /** Unix milliseconds when each began, the oldest first. */
  readonly #began = new Map<object, number>()
  #heard = 0

  add(call: object, now: number): void {
    if (this.#began.size >= MOST) {
      const { value: oldest } = this.#began.keys().next()
      if (oldest !== undefined) this.#began.delete(oldest)
    }
    this.#began.set(call, now)
  }

  /** The provider said something, if only that it fails. Answers how long the call waited for it, the first time. */
  hear(call: object, now: number): number | undefined {
    this.#heard = Math.max(this.#heard, now)
    const began = this.#began.get(call)
    this.#began.delete(call)
    return began === undefined ? undefined : now - began
  }

  /** Nobody waits for it any more. */
  remove(call: object): void {
    this.#began.delete(call)
  }

  /** Those that wait now tell nothing of what comes. */
  clear(): void {
    this.#began.clear()
  }

  /** Milliseconds for which nothing was heard while at least so many `calls` waited all along; one alone may just take long. */
  silence(now: number, calls: number): number {
    if (this.#began.size < calls) return 0
    let seen = 0
    for (const began of this.#began.values()) {
      seen += 1
      if (seen === calls) return Math.max(0, now - Math.max(began, this.#heard))
    }
    return 0
  }
}

/** Calls that are remembered at most; with so many, the oldest one tells nothing that the next does not. */
const MOST = 10_000
