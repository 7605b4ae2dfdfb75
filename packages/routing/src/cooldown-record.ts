/** How long cooldowns of one cause last if the provider does not say: the first one, doubling up to the longest. */
export interface CooldownRule {
  readonly firstMs: number
  readonly longestMs: number
  /** If true, after the cooldown one call at a time is let through until one passes; otherwise the cooldown is simply over. */
  readonly tried: boolean
}

/**
 * The cooldowns of a lane, a key, or a model for one cause. A call knows the `epoch` in which it began; reports about an earlier
 * epoch come too late, because hundreds of calls can be in progress when the first of them fails.
 */
export class CooldownRecord {
  readonly #rule: CooldownRule
  epoch = 0
  /** End of the last cooldown in unix milliseconds, or 0. */
  until = 0
  /** When work resumed after the last cooldown, in unix milliseconds, or 0. */
  #returned = 0
  /** The provider did not state the length of the last cooldown. */
  isGuess = false
  #lengthMs = 0
  #rampMs = 0
  #onTrial = false
  #trial: object | undefined
  #trialEnds = 0

  constructor(rule: CooldownRule) {
    this.#rule = rule
  }

  isCoolingDown(now: number): boolean {
    return this.cooldownUntil(now) > 0
  }

  /** End of the cooldown in unix milliseconds; 0 if it is over, or longer than possible because the clock was set back. */
  cooldownUntil(now: number): number {
    return now < this.until && this.until - now <= LONGEST_COOLDOWN_MS ? this.until : 0
  }

  /**
   * Part of its load that a lane takes after a cooldown: from a tenth up to all of it, so that waiting calls do not overrun it. The
   * ramp takes 20 seconds, or less if the provider itself asked for a shorter cooldown.
   */
  share(now: number): number {
    const since = now - this.#returned
    // A negative value means that the clock was set back.
    return since < 0 || since >= this.#rampMs ? 1 : RAMP_FROM + (1 - RAMP_FROM) * (since / this.#rampMs)
  }

  /** The cooldown is over, or nearly, but no call has yet shown that the lane works again. */
  get isOnTrial(): boolean {
    return this.#onTrial
  }

  /** Until when the trial keeps its slot, in unix milliseconds; 0 without a trial. */
  get trialEnds(): number {
    return this.#trial === undefined ? 0 : this.#trialEnds
  }

  /** Makes `call` the trial if the cooldown is over and no other call is. A trial that does not end loses its slot. */
  tryWith(call: object, now: number): void {
    if (!this.#onTrial || this.isCoolingDown(now) || now < this.trialEnds) return
    this.#trial = call
    this.#trialEnds = now + TRIAL_MS
  }

  isTrial(call: object): boolean {
    return this.#trial === call
  }

  /** Call when the call has ended without showing whether the lane works. */
  release(call: object): void {
    if (this.#trial === call) this.#trial = undefined
  }

  /** Begins a cooldown: twice as long as the last one if that was in vain or recent. */
  begin(now: number, random: () => number): void {
    const { firstMs, longestMs } = this.#rule
    const again = this.#onTrial || now - this.#returned < Math.max(CALM_MS, this.#lengthMs)
    this.#lengthMs = again ? Math.min(longestMs, Math.max(firstMs, this.#lengthMs * 2)) : firstMs
    const cooldownMs = Math.ceil(this.#lengthMs * (1 - JITTER * random()))
    this.#enter(now + cooldownMs, cooldownMs)
    this.isGuess = true
  }

  /** Cools down until the given time; false if that is not later than the known end. `cooldownMs` is the stated length. */
  extendTo(until: number, cooldownMs = RAMP_MS): boolean {
    if (until <= this.until && this.until - until <= LONGEST_COOLDOWN_MS) return false
    this.#enter(until, cooldownMs)
    return true
  }

  /** Call when a call has passed: the cooldown is over, even before its end. */
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

  #enter(until: number, cooldownMs: number): void {
    const { tried } = this.#rule
    this.until = until
    this.isGuess = false
    if (!tried) this.#returned = until
    this.#rampMs = tried ? RAMP_MS : Math.min(RAMP_MS, cooldownMs)
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

/** No cooldown is longer, whatever a provider asks for. */
export const LONGEST_COOLDOWN_MS = 600_000
/** A cooldown that follows the last one within this time, or within the length of that one, is twice as long. */
const CALM_MS = 10_000
/** Cooldowns end sooner by up to this share, so that lanes that failed together do not come back together. */
const JITTER = 0.25
const RAMP_MS = 20_000
const RAMP_FROM = 0.1
/** If its first byte takes longer, another call may become the trial. */
const TRIAL_MS = 30_000
