/** How rests of one cause go when the provider does not say how long: the first one, doubling up to the longest. */
export interface RestRule {
  readonly firstMs: number
  readonly longestMs: number
  /** After it one call at a time is let through until one passes; otherwise the rest is simply over. */
  readonly tried: boolean
}

/**
 * The rests of a lane, a key, or a model for one cause. A call knows the `epoch` in which it began: what it has to say about
 * an earlier one comes too late, as hundreds of calls may be under way when the first of them fails.
 */
export class RestRecord {
  readonly #rule: RestRule
  epoch = 0
  /** End of the last rest in unix milliseconds; 0 without one. */
  until = 0
  /** When work began again after the last rest, in unix milliseconds; 0 without one. */
  #returned = 0
  /** Nobody named the length of the last rest. */
  isGuess = false
  #lengthMs = 0
  #rampMs = 0
  #onTrial = false
  #trial: object | undefined
  #trialEnds = 0

  constructor(rule: RestRule) {
    this.#rule = rule
  }

  isResting(now: number): boolean {
    return this.restsUntil(now) > 0
  }

  /** End of the rest in unix milliseconds; 0 when it is over. One that seems longer than any was begun before the clock was set back. */
  restsUntil(now: number): number {
    return now < this.until && this.until - now <= LONGEST_REST_MS ? this.until : 0
  }

  /**
   * Part of its load that a lane takes after a rest: from a tenth up to all of it, so that those who waited do not run it over.
   * It takes 20 seconds, less after the provider itself named a shorter rest.
   */
  share(now: number): number {
    const since = now - this.#returned
    // Before it came back: the clock was set back.
    return since < 0 || since >= this.#rampMs ? 1 : RAMP_FROM + (1 - RAMP_FROM) * (since / this.#rampMs)
  }

  /** The rest is over, or nearly, but no call has shown yet that it may be. */
  get isOnTrial(): boolean {
    return this.#onTrial
  }

  /** Until when the call that tries the lane has its place, in unix milliseconds; 0 while none does. */
  get trialEnds(): number {
    return this.#trial === undefined ? 0 : this.#trialEnds
  }

  /** Lets `call` try the lane when its rest is over and nobody else does. A trial that does not end gives its place up. */
  tryWith(call: object, now: number): void {
    if (!this.#onTrial || this.isResting(now) || now < this.trialEnds) return
    this.#trial = call
    this.#trialEnds = now + TRIAL_MS
  }

  isTrial(call: object): boolean {
    return this.#trial === call
  }

  /** The call has ended, and said nothing. */
  release(call: object): void {
    if (this.#trial === call) this.#trial = undefined
  }

  /** Begins a rest: twice the last one when that was in vain or is not long past. */
  begin(now: number, random: () => number): void {
    const { firstMs, longestMs } = this.#rule
    const again = this.#onTrial || now - this.#returned < Math.max(CALM_MS, this.#lengthMs)
    this.#lengthMs = again ? Math.min(longestMs, Math.max(firstMs, this.#lengthMs * 2)) : firstMs
    const restMs = Math.ceil(this.#lengthMs * (1 - JITTER * random()))
    this.#enter(now + restMs, restMs)
    this.isGuess = true
  }

  /**
   * Rests until the given moment, for as long as that was said to be, if that is later than what is known. False when it is not.
   */
  extendTo(until: number, restMs = RAMP_MS): boolean {
    if (until <= this.until && this.until - until <= LONGEST_REST_MS) return false
    this.#enter(until, restMs)
    return true
  }

  /** A call has passed: the rest is over, also when it was not due yet. */
  pass(now: number): void {
    this.until = Math.min(this.until, now)
    this.#returned = now
    this.#leaveTrial()
  }

  clear(): void {
    this.until = 0
    this.#returned = 0
    this.#lengthMs = 0
    this.#rampMs = 0
    this.#leaveTrial()
  }

  #enter(until: number, restMs: number): void {
    const { tried } = this.#rule
    this.until = until
    this.isGuess = false
    if (!tried) this.#returned = until
    this.#rampMs = tried ? RAMP_MS : Math.min(RAMP_MS, restMs)
    this.#onTrial = tried
    this.#trial = undefined
    this.epoch += 1
  }

  #leaveTrial(): void {
    this.#onTrial = false
    this.#trial = undefined
    this.epoch += 1
  }
}

/** No rest is longer, whoever asks for it. */
export const LONGEST_REST_MS = 600_000
/** A rest that follows the last one within this time, or within the length of that, is twice as long. */
const CALM_MS = 10_000
/** Rests end up to so much sooner, so that lanes which fell together do not rise together. */
const JITTER = 0.25
const RAMP_MS = 20_000
const RAMP_FROM = 0.1
/** So long a trial has for its first byte before another call may try too. */
const TRIAL_MS = 30_000
