/** An average of lately: a value counts half as much after each half-life. Takes 40 bytes, whatever the number of values. */
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

  /** As if `doubts` values of 0 had been seen as well: few values say little. 0 without values. */
  mean(now: number, doubts = 0): number {
    const faded = this.#faded(now)
    const weight = this.#weight * faded + doubts
    return weight < 1e-9 ? 0 : (this.#sum * faded) / weight
  }

  /** How many values of just now it stands for. */
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
