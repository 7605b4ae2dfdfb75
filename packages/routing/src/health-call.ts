import type { BegunCall, CallCause, Rest, RestCause } from './health.ts'
import type { LaneRecord } from './lane-record.ts'
import type { RestRecord } from './rest-record.ts'

/** Tells its lane what became of it. */
export class HealthCall implements BegunCall {
  readonly #lane: LaneRecord
  readonly #random: () => number
  /** Of each kind of rest, which one it was when the call began. */
  readonly #failing: number
  readonly #limited: number
  readonly #refused: number
  #isOver = false
  #hasAnswered = false

  constructor(lane: LaneRecord, now: number, random: () => number) {
    const { failing, limited, owner } = lane
    this.#lane = lane
    this.#random = random
    this.#failing = failing.epoch
    this.#limited = limited.epoch
    this.#refused = owner.refused.epoch
    failing.tryWith(this, now)
    owner.refused.tryWith(this, now)
    lane.calls.waiting.add(this, now)
    lane.open += 1
  }

  answered(firstByteMs: number, now: number): void {
    if (this.#isOver || this.#hasAnswered) return
    this.#hasAnswered = true
    this.#lane.calls.waiting.hear(this, now)
    this.#lane.calls.sawFirstByte(firstByteMs, now)
    this.#countAnswer(now)
  }

  end(cause: CallCause, now: number, retryAfterMs?: number): Rest | undefined {
    if (this.#isOver) return undefined
    this.#isOver = true
    this.#lane.open -= 1
    if (cause === 'stopped' || cause === 'setup') this.#lane.calls.waiting.remove(this)
    else this.#lane.calls.waiting.hear(this, now)
    const rest = this.#judge(cause, now, retryAfterMs)
    this.#lane.failing.release(this)
    this.#lane.owner.refused.release(this)
    return rest
  }

  #judge(cause: CallCause, now: number, retryAfterMs: number | undefined): Rest | undefined {
    const lane = this.#lane
    switch (cause) {
      case 'answered':
        lane.answered += 1
        if (!this.#hasAnswered) this.#countAnswer(now)
        if (this.#failing === lane.failing.epoch) lane.calls.countEnd(false, now)
        return undefined
      case 'limited':
        return this.#askedToWait(now, retryAfterMs) ?? this.#rest('limited', lane.limited, this.#limited, now)
      case 'account':
        lane.failed += 1
        return this.#rest('account', lane.owner.refused, this.#refused, now)
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
    const { failing, owner } = this.#lane
    if (this.#failing === failing.epoch) {
      this.#lane.calls.countAnswer(now)
      if (failing.isOnTrial) {
        failing.pass(now)
        this.#lane.calls.clearFailures()
      }
    }
    if (owner.refused.isOnTrial && this.#refused === owner.refused.epoch) owner.refused.pass(now)
  }

  #fail(now: number): Rest | undefined {
    const { failing } = this.#lane
    if (this.#failing !== failing.epoch) return undefined
    const { calls } = this.#lane
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
    const restMs = Math.ceil(Math.min(retryAfterMs, LONGEST_ASKED_MS))
    return limited.extendTo(now + restMs, restMs) ? this.#told('limited', limited) : undefined
  }

  #rest(cause: RestCause, record: RestRecord, epoch: number, now: number): Rest | undefined {
    if (epoch !== record.epoch || record.isResting(now)) return undefined
    if (record.isOnTrial && !record.isTrial(this)) return undefined
    record.begin(now, this.#random)
    return this.#told(cause, record)
  }

  #told(cause: RestCause, { until }: RestRecord): Rest {
    const { channel, key, model } = this.#lane
    return { channel, key, model: cause === 'account' ? '' : model, cause, until }
  }
}

/** Longest wait that a provider is believed. */
const LONGEST_ASKED_MS = 600_000
