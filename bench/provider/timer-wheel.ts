/** One slot per millisecond: gaps are shorter than this. */
const SLOTS = 4_096

interface Turning {
  readonly gapMs: number
  /** Returns false after the last turn. */
  readonly turn: () => boolean
  tick: number
}

/**
 * One timer for all streams: a tick visits those whose turn it is. When ticks are late, missed turns are skipped, so that no stream
 * has two at a time: a provider that cannot keep its pace is slower, but never sends several chunks as one.
 */
export class TimerWheel {
  readonly #now: () => number
  readonly #afterMs: (task: () => void) => void
  #slots: Turning[][] = Array.from({ length: SLOTS }, () => [])
  #at = 0
  #tick = 0
  #size = 0

  /**
   * @param now whole milliseconds
   * @param afterMs runs a task about one millisecond later
   */
  constructor(now: () => number, afterMs: (task: () => void) => void) {
    this.#now = now
    this.#afterMs = afterMs
  }

  /** Calls `turn` every `gapMs`, from 1 to 4,095, until it returns false. */
  add(gapMs: number, turn: () => boolean): void {
    if (!(gapMs >= 1 && gapMs < SLOTS)) throw new Error(`a gap of ${gapMs} ms is not for this wheel`)
    if (this.#size === 0) {
      this.#at = this.#now()
      this.#afterMs(this.#visit)
    }
    this.#size++
    this.#put({ gapMs, turn, tick: this.#tick })
  }

  #put(turning: Turning): void {
    this.#slots[(this.#at + turning.gapMs) % SLOTS]?.push(turning)
  }

  readonly #visit = (): void => {
    this.#tick++
    for (const now = this.#now(); this.#at < now;) {
      this.#at++
      const due = this.#slots[this.#at % SLOTS] ?? []
      if (due.length === 0) continue
      this.#slots[this.#at % SLOTS] = []
      for (const turning of due) {
        const isLast = turning.tick !== this.#tick && !turning.turn()
        turning.tick = this.#tick
        if (isLast) this.#size--
        else this.#put(turning)
      }
    }
    if (this.#size > 0) this.#afterMs(this.#visit)
  }
}
