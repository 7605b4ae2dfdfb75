import { type AccountWindow, usedUpUntil, WINDOWS_MAX } from './account-window.ts'
import { LONGEST_COOLDOWN_MS, type CooldownRecord } from './cooldown-record.ts'
import type { BegunCall, CallCause, Cooldown, CooldownCause } from './health.ts'
import type { LaneRecord } from './lane-record.ts'
import type { WaitingCall } from './waiting-calls.ts'

/** Reports the outcome of a call to its lane. */
export class HealthCall implements BegunCall {
  readonly #lane: LaneRecord
  readonly #random: () => number
  readonly #place: WaitingCall
  /** For each kind of cooldown, the epoch in which the call began. */
  readonly #failing: number
  readonly #limited: number
  readonly #refused: number
  readonly #unknownModel: number
  #isOver = false
  #hasAnswered = false
  /** The cooldown for a used-up window. */
  #rest: Cooldown | undefined

  constructor(lane: LaneRecord, now: number, random: () => number) {
    const { failing, calls } = lane.byModel
    const { refused } = lane.byKey
    const { unknownModel } = lane
    this.#lane = lane
    this.#random = random
    this.#failing = failing.epoch
    this.#limited = lane.limited.epoch
    this.#refused = refused.epoch
    this.#unknownModel = unknownModel.epoch
    failing.tryWith(this, now)
    refused.tryWith(this, now)
    unknownModel.tryWith(this, now)
    this.#place = calls.begin(now)
    lane.open += 1
  }

  answered(firstByteMs: number, now: number): void {
    if (this.#isOver || this.#hasAnswered) return
    this.#hasAnswered = true
    const { calls } = this.#lane.byModel
    calls.hearAnswer(this.#place, now)
    calls.sawFirstByte(firstByteMs, now)
    this.#countAnswer(now)
  }

  heard(windows: readonly AccountWindow[], now: number): void {
    if (this.#isOver || windows.length === 0) return
    this.#lane.windows = windows.slice(0, WINDOWS_MAX)
    const until = usedUpUntil(windows, now)
    if (until !== undefined) this.#rest = this.#askedToWait(now, until - now)
  }

  end(cause: CallCause | 'denied', now: number, retryAfterMs?: number): Cooldown | undefined {
    if (this.#isOver) return undefined
    this.#isOver = true
    this.#lane.open -= 1
    const { calls, failing } = this.#lane.byModel
    if (cause === 'answered') calls.hearAnswer(this.#place, now)
    else if (cause === 'stopped' || cause === 'setup') calls.giveUp(this.#place)
    else calls.hearFailure(this.#place, now)
    const cooldown = this.#applyOutcome(cause, now, retryAfterMs) ?? this.#rest
    failing.release(this)
    this.#lane.byKey.refused.release(this)
    this.#lane.unknownModel.release(this)
    return cooldown
  }

  #applyOutcome(cause: CallCause | 'denied', now: number, retryAfterMs: number | undefined): Cooldown | undefined {
    const lane = this.#lane
    switch (cause) {
      case 'answered':
        lane.answered += 1
        if (!this.#hasAnswered) this.#countAnswer(now)
        if (this.#failing === lane.byModel.failing.epoch) lane.byModel.calls.countEnd(false, now)
        return undefined
      case 'limited':
        return this.#askedToWait(now, retryAfterMs) ?? this.#coolDown('limited', lane.limited, this.#limited, now)
      case 'account':
        lane.failed += 1
        return this.#coolDown('account', lane.byKey.refused, this.#refused, now)
      case 'unknown_model':
        lane.failed += 1
        return this.#coolDown('unknown_model', lane.unknownModel, this.#unknownModel, now)
      case 'denied':
        lane.failed += 1
        lane.byKey.denials += 1
        if (this.#failing === lane.byModel.failing.epoch) lane.byModel.calls.countEnd(true, now)
        if (lane.byKey.denials < DENIALS) return undefined
        return this.#coolDown('account', lane.byKey.refused, this.#refused, now)
      case 'provider':
        lane.failed += 1
        return this.#fail(now) ?? this.#askedToWait(now, retryAfterMs)
      case 'request':
      case 'setup':
      case 'stopped':
        return undefined
    }
  }

  #countAnswer(now: number): void {
    const { failing, calls } = this.#lane.byModel
    const { byKey, unknownModel } = this.#lane
    const { refused } = byKey
    byKey.denials = 0
    if (this.#failing === failing.epoch) {
      calls.countAnswer(now)
      if (failing.isOnTrial) {
        failing.pass(now)
        calls.clearFailures()
      }
    }
    if (refused.isOnTrial && this.#refused === refused.epoch) refused.pass(now)
    if (unknownModel.isOnTrial && this.#unknownModel === unknownModel.epoch) unknownModel.pass(now)
  }

  #fail(now: number): Cooldown | undefined {
    const { failing, calls } = this.#lane.byModel
    if (this.#failing !== failing.epoch) return undefined
    calls.countEnd(true, now)
    const isOneTooMany = calls.countFailure(now, this.#hasAnswered)
    if (failing.isOnTrial ? !failing.isTrial(this) : !isOneTooMany) return undefined
    calls.clearCounts()
    return this.#coolDown('failing', failing, this.#failing, now)
  }

  /** A wait that the provider itself asks for counts whenever it arrives. */
  #askedToWait(now: number, retryAfterMs: number | undefined): Cooldown | undefined {
    if (retryAfterMs === undefined || !(retryAfterMs > 0)) return undefined
    const { limited } = this.#lane
    const cooldownMs = Math.ceil(Math.min(retryAfterMs, LONGEST_COOLDOWN_MS))
    return limited.extendTo(now + cooldownMs, cooldownMs) ? this.#cooldownOf('limited', limited) : undefined
  }

  #coolDown(cause: CooldownCause, record: CooldownRecord, epoch: number, now: number): Cooldown | undefined {
    if (epoch !== record.epoch || record.isCoolingDown(now)) return undefined
    if (record.isOnTrial && !record.isTrial(this)) return undefined
    record.begin(now, this.#random)
    return this.#cooldownOf(cause, record)
  }

  #cooldownOf(cause: CooldownCause, { until, isGuess }: CooldownRecord): Cooldown {
    const { channel, key, model } = this.#lane
    const isLimitGuessed = cause === 'limited' && isGuess
    return {
      channel,
      key: cause === 'failing' ? '' : key,
      model: cause === 'account' ? '' : model,
      cause,
      until,
      ...(isLimitGuessed && { isGuess: true as const }),
    }
  }
}

/** After this many denials without an answer in between, the key is to blame. */
const DENIALS = 3
