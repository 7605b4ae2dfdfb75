import type { BegunCall, CallCause, Rest, RestCause } from './health.ts'
import type { LaneRecord } from './lane-record.ts'
import { LONGEST_REST_MS, type RestRecord } from './rest-record.ts'
import type { WaitingPlace } from './waiting-calls.ts'

/** Tells its lane what became of it. */
export class HealthCall implements BegunCall {
  readonly #lane: LaneRecord
  readonly #random: () => number
  readonly #place: WaitingPlace
  /** Of each kind of rest, which one it was when the call began. */
  readonly #failing: number
  readonly #limited: number
  readonly #refused: number
  #isOver = false
  #hasAnswered = false

  constructor(lane: LaneRecord, now: number, random: () => number) {
    const { failing, calls } = lane.byModel
    const { refused } = lane.byKey
    this.#lane = lane
    this.#random = random
    this.#failing = failing.epoch
    this.#limited = lane.limited.epoch
    this.#refused = refused.epoch
    failing.tryWith(this, now)
    refused.tryWith(this, now)
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

  end(cause: CallCause | 'denied', now: number, retryAfterMs?: number): Rest | undefined {
    if (this.#isOver) return undefined
    this.#isOver = true
    this.#lane.open -= 1
    const { calls, failing } = this.#lane.byModel
    if (cause === 'answered') calls.hearAnswer(this.#place, now)
    else if (cause === 'stopped' || cause === 'setup') calls.giveUp(this.#place)
    else calls.hearFailure(this.#place, now)
    const rest = this.#judge(cause, now, retryAfterMs)
    failing.release(this)
    this.#lane.byKey.refused.release(this)
    return rest
  }

  #judge(cause: CallCause | 'denied', now: number, retryAfterMs: number | undefined): Rest | undefined {
    const lane = this.#lane
    switch (cause) {
      case 'answered':
        lane.answered += 1
        if (!this.#hasAnswered) this.#countAnswer(now)
        if (this.#failing === lane.byModel.failing.epoch) lane.byModel.calls.countEnd(false, now)
        return undefined
      case 'limited':
        return this.#askedToWait(now, retryAfterMs) ?? this.#rest('limited', lane.limited, this.#limited, now)
      case 'account':
        lane.failed += 1
        return this.#rest('account', lane.byKey.refused, this.#refused, now)
      case 'denied':
        lane.failed += 1
        lane.byKey.denials += 1
        if (this.#failing === lane.byModel.failing.epoch) lane.byModel.calls.countEnd(true, now)
        if (lane.byKey.denials < DENIALS) return undefined
        return this.#rest('account', lane.byKey.refused, this.#refused, now)
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
    const { byKey } = this.#lane
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
  }

  #fail(now: number): Rest | undefined {
    const { failing, calls } = this.#lane.byModel
    if (this.#failing !== failing.epoch) return undefined
    calls.countEnd(true, now)
    const isOneTooMany = calls.countFailure(now, this.#hasAnswered)
    if (failing.isOnTrial ? !failing.isTrial(this) : !isOneTooMany) return undefined
    calls.clearCounts()
    return this.#rest('failing', failing, this.#failing, now)
  }

  /** The provider's own word counts whenever it comes. */
  #askedToWait(now: number, retryAfterMs: number | undefined): Rest | undefined {
    if (retryAfterMs === undefined || !(retryAfterMs > 0)) return undefined
    const { limited } = this.#lane
    const restMs = Math.ceil(Math.min(retryAfterMs, LONGEST_REST_MS))
    return limited.extendTo(now + restMs, restMs) ? this.#told('limited', limited) : undefined
  }

  #rest(cause: RestCause, record: RestRecord, epoch: number, now: number): Rest | undefined {
    if (epoch !== record.epoch || record.isResting(now)) return undefined
    if (record.isOnTrial && !record.isTrial(this)) return undefined
    record.begin(now, this.#random)
    return this.#told(cause, record)
  }

  #told(cause: RestCause, { until, isGuess }: RestRecord): Rest {
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

/** So many denials without an answer between them are the key's fault. */
const DENIALS = 3
