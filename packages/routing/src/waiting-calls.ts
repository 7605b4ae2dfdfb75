/** A waiting call, linked to its predecessor and successor by start. */
export interface WaitingCall {
  /** Unix milliseconds. */
  readonly began: number
  isTaken: boolean
  older: WaitingCall | undefined
  newer: WaitingCall | undefined
}

/**
 * Calls that wait for their first byte. A stalled provider fails no call as long as callers are patient, but no call hears anything
 * from it. This is a linked list instead of a `Map`: every table that a `Map` has outgrown retains its contents until a full
 * collection, and here a call comes and goes with every request.
 */
export class WaitingCalls {
  #oldest: WaitingCall | undefined
  #newest: WaitingCall | undefined
  #size = 0
  #heard = 0

  add(now: number): WaitingCall {
    if (this.#size >= MOST && this.#oldest !== undefined) this.remove(this.#oldest)
    const call: WaitingCall = { began: now, isTaken: true, older: this.#newest, newer: undefined }
    if (this.#newest === undefined) this.#oldest = call
    else this.#newest.newer = call
    this.#newest = call
    this.#size += 1
    return call
  }

  /** Call when the provider has responded, even with a failure. Returns how long the call waited, the first time. */
  hear(call: WaitingCall, now: number): number | undefined {
    this.#heard = Math.max(this.#heard, now)
    return this.remove(call) ? now - call.began : undefined
  }

  /** Call when no caller waits for this call any more; false if it was not waiting. */
  remove(call: WaitingCall): boolean {
    if (!call.isTaken) return false
    const { older, newer } = call
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    this.#size -= 1
    call.isTaken = false
    // Otherwise an old entry would keep those after it in memory.
    call.older = undefined
    call.newer = undefined
    return true
  }

  /** Forgets the waiting calls: they are no evidence about later ones. */
  clear(): void {
    while (this.#oldest !== undefined) this.remove(this.#oldest)
  }

  /** Milliseconds of silence while at least `calls` calls were waiting throughout; a single call may just take long. */
  silence(now: number, calls: number): number {
    if (this.#size < calls) return 0
    let call = this.#oldest
    for (let at = 1; at < calls; at++) call = call?.newer
    return call === undefined ? 0 : Math.max(0, now - Math.max(call.began, this.#heard))
  }
}

/** Maximum calls that are kept; with this many, the oldest call shows no more than the next. */
const MOST = 10_000
