import type { Refusal } from '@sluice/contract/errors'

export interface PaceLimits {
  /** Milliseconds within which the upload must be complete. */
  readonly timeoutMs: number
  /** Bytes per second, at least; 0 for none. */
  readonly leastRate: number
  /** Length in milliseconds of the successive spans over which the rate is measured; the first one does not count. */
  readonly spanMs: number
}

/** Watches one upload. A sender that stalls is noticed within two spans, however much it sent at first. */
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
