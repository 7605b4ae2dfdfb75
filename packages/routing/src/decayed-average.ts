/** An average of the recent past: a value counts half after each half-life. Takes 40 bytes for any number of values. */
export class DecayedAverage {
  readonly #halfLifeMs: number
  #sum = 0
  #weight = 0
  #at = 0

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs
  }

  add(value: number, now: number): void {
    const faded = this.#faded(now)
    this.#sum = this.#sum * faded + value
    this.#weight = this.#weight * faded + 1
    this.#at = Math.max(this.#at, now)
  }

  /** 0 without values. Unchanged by time alone: all values fade alike. */
  get mean(): number {
    return this.#weight === 0 ? 0 : this.#sum / this.#weight
  }

  /** The mean with `doubts` additional values of 0, which do not fade, because few values are little evidence. */
  meanAmong(doubts: number, now: number): number {
    if (this.#sum === 0) return 0
    const faded = this.#faded(now)
    return (this.#sum * faded) / (this.#weight * faded + doubts)
  }

  /** How many fresh values the average stands for. */
  weight(now: number): number {
    return this.#weight * this.#faded(now)
  }

  clear(): void {
    this.#sum = 0
    this.#weight = 0
  }

  #faded(now: number): number {
    const age = now - this.#at
    return age > 0 ? 2 ** (-age / this.#halfLifeMs) : 1
  }
}
