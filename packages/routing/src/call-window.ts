/** Counts calls of the last 25 to 30 seconds, in slots of five seconds. */
export class CallWindow {
  readonly #calls = [0, 0, 0, 0, 0, 0]
  readonly #failures = [0, 0, 0, 0, 0, 0]
  /** Number of the current slot since the unix epoch. */
  #slot = 0

  countCall(now: number): void {
    const at = this.#turnTo(now)
    this.#calls[at] = (this.#calls[at] ?? 0) + 1
  }

  /** Marks an already counted call as failed. */
  countFailure(now: number): void {
    const at = this.#turnTo(now)
    this.#failures[at] = (this.#failures[at] ?? 0) + 1
  }

  /** 0 with fewer than `least` calls. Exceeds 1 if calls fail long after they were counted. */
  failureRate(now: number, least: number): number {
    this.#turnTo(now)
    const calls = this.#calls.reduce((sum, slot) => sum + slot, 0)
    return calls < least ? 0 : this.#failures.reduce((sum, slot) => sum + slot, 0) / calls
  }

  clear(): void {
    this.#calls.fill(0)
    this.#failures.fill(0)
  }

  /** Empties the slots that are past. After a clock is set back, calls are counted in the slot that it had reached. */
  #turnTo(now: number): number {
    const slot = Math.floor(now / SLOT_MS)
    const passed = Math.min(slot - this.#slot, SLOTS)
    for (let turn = 1; turn <= passed; turn++) {
      const at = (this.#slot + turn) % SLOTS
      this.#calls[at] = 0
      this.#failures[at] = 0
    }
    if (passed === SLOTS) this.clear()
    if (passed > 0) this.#slot = slot
    return this.#slot % SLOTS
  }
}

const SLOT_MS = 5_000
const SLOTS = 6
