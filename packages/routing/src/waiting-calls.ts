/** A call that waits, between the one that began before it and the one that began after. */
export interface WaitingPlace {
  /** Unix milliseconds. */
  readonly began: number
  isTaken: boolean
  older: WaitingPlace | undefined
  newer: WaitingPlace | undefined
}

/**
 * Calls that wait for their first byte. A provider that stalls fails no call for as long as callers are patient; what gives it
 * away is that nobody hears anything. A chain in place of a `Map`: every table that a `Map` has worn out keeps all that stood in it until
 * a full collection, and here somebody comes and goes with every request.
 */
export class WaitingCalls {
  #oldest: WaitingPlace | undefined
  #newest: WaitingPlace | undefined
  #size = 0
  #heard = 0

  add(now: number): WaitingPlace {
    if (this.#size >= MOST && this.#oldest !== undefined) this.remove(this.#oldest)
    const place: WaitingPlace = { began: now, isTaken: true, older: this.#newest, newer: undefined }
    if (this.#newest === undefined) this.#oldest = place
    else this.#newest.newer = place
    this.#newest = place
    this.#size += 1
    return place
  }

  /** The provider said something, if only that it fails. Answers how long the call waited for it, the first time. */
  hear(place: WaitingPlace, now: number): number | undefined {
    this.#heard = Math.max(this.#heard, now)
    return this.remove(place) ? now - place.began : undefined
  }

  /** Nobody waits for it any more; false when it did not wait. */
  remove(place: WaitingPlace): boolean {
    if (!place.isTaken) return false
    const { older, newer } = place
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    this.#size -= 1
    place.isTaken = false
    // Or a place that has grown old would keep those that came after it.
    place.older = undefined
    place.newer = undefined
    return true
  }

  /** Those that wait now tell nothing of what comes. */
  clear(): void {
    while (this.#oldest !== undefined) this.remove(this.#oldest)
  }

  /** Milliseconds for which nothing was heard while at least so many `calls` waited all along; one alone may just take long. */
  silence(now: number, calls: number): number {
    if (this.#size < calls) return 0
    let place = this.#oldest
    for (let at = 1; at < calls; at++) place = place?.newer
    return place === undefined ? 0 : Math.max(0, now - Math.max(place.began, this.#heard))
  }
}

/** Calls that are remembered at most; with so many, the oldest one tells nothing that the next does not. */
const MOST = 10_000
