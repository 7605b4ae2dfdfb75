import type { Refusal } from '@sluice/contract/errors'

export interface PaceLimits {
  /** Milliseconds for the whole upload. */
  readonly timeoutMs: number
  /** Least bytes per second; 0 for no limit. */
  readonly leastRate: number
  /** Milliseconds of the successive spans over which the rate is measured; the first does not count. */
  readonly spanMs: number
}

/** Watches one upload. It notices a stalled sender within two spans, however much was sent at first. */
export class UploadPace {
  readonly #limits: PaceLimits
  readonly #onLate: (refusal: Refusal) => void
  #timer: NodeJS.Timeout
  #elapsedMs = 0
  #came = 0

  /** `onLate` is called at most once. */
  constructor(limits: PaceLimits, onLate: (refusal: Refusal) => void) {
    this.#limits = limits
    this.#onLate = onLate
    this.#timer = this.#next()
  }

  add(bytes: number): void {
    this.#came += bytes
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #next(): NodeJS.Timeout {
    const { timeoutMs, spanMs } = this.#limits
    const ms = Math.min(spanMs, timeoutMs - this.#elapsedMs)
    return setTimeout(() => this.#look(ms), ms)
  }

  #look(ms: number): void {
    const { timeoutMs, leastRate } = this.#limits
    this.#elapsedMs += ms
    if (this.#elapsedMs >= timeoutMs) {
      this.#onLate({ code: 'body_timeout', params: { seconds: timeoutMs / 1_000 } })
    } else if (this.#came < (leastRate * ms) / 1_000) {
      this.#onLate({ code: 'body_too_slow', params: { rate: leastRate } })
    } else {
      this.#came = 0
      this.#timer = this.#next()
    }
  }
}
