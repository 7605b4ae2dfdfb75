import { CallWindow } from './call-window.ts'
import { DecayedAverage } from './decayed-average.ts'
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts'

/** Statistics on the recent calls of one lane. */
export class CallRecord {
  readonly #waiting = new WaitingCalls()
  readonly #failures = new DecayedAverage(60_000)
  readonly #firstByte = new DecayedAverage(60_000)
  readonly #usualFirstByte = new DecayedAverage(3_600_000)
  /** Average wait of answered calls: long for unstreamed answers, which are only reported when complete. */
  readonly #usualWait = new DecayedAverage(3_600_000)
  readonly #window = new CallWindow()
  #inARow = 0
  #rowBegan = 0

  /** 0 to 1. */
  failureRate(now: number): number {
    return this.#failures.weight(now) < FORGOTTEN ? 0 : this.#failures.mean
  }

  /** Milliseconds; undefined without answers. */
  firstByteMs(now: number): number | undefined {
    return this.#firstByte.weight(now) < FORGOTTEN ? undefined : this.#firstByte.mean
  }

  begin(now: number): WaitingCall {
    return this.#waiting.add(now)
  }

  hearAnswer(call: WaitingCall, now: number): void {
    const waited = this.#waiting.hear(call, now)
    if (waited !== undefined) this.#usualWait.add(waited, now)
  }

  hearFailure(call: WaitingCall, now: number): void {
    this.#waiting.hear(call, now)
  }

  /** Call when no caller waits for this call any more, which says nothing about the lane. */
  giveUp(call: WaitingCall): void {
    this.#waiting.remove(call)
  }

  /** `firstByteMs` counts from when the call was sent. */
  sawFirstByte(firstByteMs: number, now: number): void {
    this.#firstByte.add(firstByteMs, now)
    this.#usualFirstByte.add(firstByteMs, now)
  }

  /** Call once a call is answered, even partly: streams that began before a bad minute would still end well long after it. */
  countAnswer(now: number): void {
    this.#window.countCall(now)
    this.#inARow = 0
  }

  countEnd(failed: boolean, now: number): void {
    this.#failures.add(failed ? 1 : 0, now)
  }

  /**
   * Returns whether the lane now has too many failures: half of the calls in half a minute, or several in a row. A row counts only
   * if it lasts some time or is long; otherwise a busy lane that loses a third of its calls would cool down every few seconds by
   * chance.
   */
  countFailure(now: number, wasAnswered: boolean): boolean {
    if (!wasAnswered) this.#window.countCall(now)
    this.#window.countFailure(now)
    if (this.#inARow === 0) this.#rowBegan = now
    this.#inARow += 1
    if (this.#inARow >= MANY_IN_A_ROW) return true
    if (this.#inARow >= IN_A_ROW && now - this.#rowBegan >= ROW_MS) return true
    return this.#window.failureRate(now, LEAST_CALLS) >= FAILURE_RATE
  }

  /** Whether enough calls have waited in vain so long that new calls should not join them. */
  isStalled(now: number): boolean {
    const silence = this.#waiting.silence(now, STALLED_CALLS)
    if (silence < LEAST_STALL_MS) return false
    return silence >= (this.#isUsualKnown(now) ? STALL_FACTOR * this.#usualWait.mean : UNKNOWN_STALL_MS)
  }

  /** Above 0, at most 1; falls with failures and slowness. */
  score(now: number): number {
    const passes = 1 - this.#failures.meanAmong(DOUBTS, now)
    return Math.max(LEAST_SCORE, (passes * passes) / Math.max(1, this.#slowness(now)))
  }

  /** Above 0, at most 1: the part of its load that the lane should still get while its provider is silent. */
  share(now: number): number {
    return Math.max(LEAST_SCORE, 1 / Math.max(1, this.#stillness(now)) ** 2)
  }

  /** Call once the counts have had their effect. */
  clearCounts(): void {
    this.#window.clear()
    this.#inARow = 0
  }

  clearFailures(): void {
    this.clearCounts()
    this.#failures.clear()
  }

  clear(): void {
    this.clearFailures()
    this.#firstByte.clear()
    this.#usualFirstByte.clear()
    this.#usualWait.clear()
    this.#waiting.clear()
  }

  /** Above 1 if first bytes take more than twice as long as in the last hours; each lane is compared only with itself. */
  #slowness(now: number): number {
    if (this.#firstByte.weight(now) < FEW) return 1
    return Math.min(MOST_SLOWNESS, this.#firstByte.mean / (2 * this.#usualFirstByte.mean + 1))
  }

  /** Above 1 if calls are waiting and none has heard anything for more than twice the usual time plus a second. */
  #stillness(now: number): number {
    const silence = this.#waiting.silence(now, STILL_CALLS)
    if (silence === 0) return 0
    return silence / (this.#isUsualKnown(now) ? 2 * this.#usualWait.mean + 1_000 : UNKNOWN_STILL_MS)
  }

  #isUsualKnown(now: number): boolean {
    return this.#usualWait.weight(now) >= FEW
  }
}

/**
 * The breaker trips at this share of at least this many calls in half a minute, at this many failures in a row over a second, or at
 * many in a row.
 */
const FAILURE_RATE = 0.5
const LEAST_CALLS = 10
const IN_A_ROW = 5
const ROW_MS = 1_000
const MANY_IN_A_ROW = 10
/** It also trips if this many calls wait in silence for this long and this many times the usual wait. */
const STALLED_CALLS = 5
const LEAST_STALL_MS = 10_000
const STALL_FACTOR = 8
const UNKNOWN_STALL_MS = 30_000
const STILL_CALLS = 3
const UNKNOWN_STILL_MS = 10_000
/** Successful calls assumed in addition to those seen, so that one failure does not condemn a rarely used lane. */
const DOUBTS = 4
/** How many recent calls make an average trustworthy. */
const FEW = 5
const MOST_SLOWNESS = 4
/** Lowest score: some calls must reach every lane that can be called, or its recovery would never be noticed. */
const LEAST_SCORE = 0.02
/** An average of lower weight describes a time long past. */
const FORGOTTEN = 0.01
