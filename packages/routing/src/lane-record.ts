import { CallWindow } from './call-window.ts'
import { DecayedAverage } from './decayed-average.ts'
import type { LaneView, RestCause, Standing } from './health.ts'
import type { Lane } from './lane.ts'
import { RestRecord } from './rest-record.ts'

/** What is known of one key: how it is refused, and its lanes by model. */
export class KeyRecord {
  readonly channel: number
  readonly key: string
  readonly refused = new RestRecord({ firstMs: 30_000, longestMs: 600_000, tried: true })
  readonly lanes = new Map<string, LaneRecord>()
  /** Unix milliseconds of the last look. */
  touched = 0

  constructor(channel: number, key: string) {
    this.channel = channel
    this.key = key
  }

  get isBusy(): boolean {
    return this.lanes.size > 0
  }
}

/** What is known of one lane by its calls. */
export class LaneRecord implements Lane {
  readonly owner: KeyRecord
  readonly model: string
  readonly limited = new RestRecord({ firstMs: 1_000, longestMs: 60_000, tried: false })
  readonly failing = new RestRecord({ firstMs: 2_000, longestMs: 60_000, tried: true })
  /** Unix milliseconds of the last look. */
  touched = 0
  open = 0
  answered = 0
  failed = 0
  readonly #failures = new DecayedAverage(60_000)
  readonly #firstByte = new DecayedAverage(60_000)
  readonly #usualFirstByte = new DecayedAverage(3_600_000)
  readonly #window = new CallWindow()
  #inARow = 0

  constructor(owner: KeyRecord, model: string) {
    this.owner = owner
    this.model = model
  }

  get channel(): number {
    return this.owner.channel
  }

  get key(): string {
    return this.owner.key
  }

  get isBusy(): boolean {
    return this.open > 0
  }

  standing(now: number): Standing {
    const { limited, failing } = this
    const { refused } = this.owner
    const until = Math.max(limited.until, failing.until, refused.until)
    if (now < until) {
      const cause: RestCause = until === refused.until ? 'account' : until === failing.until ? 'failing' : 'limited'
      return { kind: 'resting', cause, until, isProbed: false }
    }
    if (!refused.isOnTrial && !failing.isOnTrial) return { kind: 'ready', worth: this.#worth(now), open: this.open }
    const trialEnds = Math.max(refused.trialEnds, failing.trialEnds)
    if (now >= trialEnds) return PROBE
    return { kind: 'resting', cause: refused.isOnTrial ? 'account' : 'failing', until: trialEnds, isProbed: true }
  }

  sawFirstByte(firstByteMs: number, now: number): void {
    this.#firstByte.add(firstByteMs, now)
    this.#usualFirstByte.add(firstByteMs, now)
  }

  countAnswer(now: number): void {
    this.#failures.add(0, now)
    this.#window.count(false, now)
    this.#inARow = 0
  }

  /** Answers whether it is one too many. */
  countFailure(now: number): boolean {
    this.#failures.add(1, now)
    this.#window.count(true, now)
    this.#inARow += 1
    return this.#inARow >= IN_A_ROW || this.#window.failureRate(now, LEAST_CALLS) >= FAILURE_RATE
  }

  /** What was counted has had its effect. */
  clearCounts(): void {
    this.#window.clear()
    this.#inARow = 0
  }

  /** A call has passed after a rest for failures: those of before are no longer held against it. */
  clearFailures(): void {
    this.clearCounts()
    this.#failures.clear()
  }

  forget(): void {
    this.limited.clear()
    this.failing.clear()
    this.clearFailures()
    this.#firstByte.clear()
    this.#usualFirstByte.clear()
  }

  view(now: number): LaneView {
    const { channel, key, model, open, answered, failed } = this
    const firstByteMs = this.#firstByte.weight(now) < FORGOTTEN ? undefined : this.#firstByte.mean(now)
    const failureRate = this.#failures.weight(now) < FORGOTTEN ? 0 : this.#failures.mean(now)
    return { channel, key, model, standing: this.standing(now), failureRate, firstByteMs, open, answered, failed }
  }

  #worth(now: number): number {
    const { limited, failing } = this
    const returned = Math.max(limited.returned, failing.returned, this.owner.refused.returned)
    const passes = 1 - this.#failures.mean(now, DOUBTS)
    return Math.max(LEAST_WORTH, passes * passes * this.#pace(now) * ramp(now - returned))
  }

  /** Below 1 when answers take more than twice as long as they did over the last hours. */
  #pace(now: number): number {
    if (this.#firstByte.weight(now) < FEW) return 1
    const slowness = this.#firstByte.mean(now) / (2 * this.#usualFirstByte.mean(now) + 1)
    return slowness <= 1 ? 1 : Math.max(LEAST_PACE, 1 / slowness)
  }
}

/** Share of its load that a lane takes so long after a rest, so that it is not run over by all that waited. */
function ramp(sinceMs: number): number {
  return sinceMs >= RAMP_MS ? 1 : RAMP_FROM + (1 - RAMP_FROM) * (Math.max(0, sinceMs) / RAMP_MS)
}

const PROBE: Standing = { kind: 'probe' }
/** The breaker: so many failures in a row, or this share of at least so many calls in half a minute. */
const IN_A_ROW = 5
const FAILURE_RATE = 0.5
const LEAST_CALLS = 10
const RAMP_MS = 20_000
const RAMP_FROM = 0.1
/** Good calls that are assumed beside those that were seen, so that one failure does not condemn a lane that is hardly used. */
const DOUBTS = 4
/** Calls of lately from which on an average is believed. */
const FEW = 5
const LEAST_PACE = 0.25
/** Some calls must reach every lane that may be asked, or nobody learns that it is better. */
const LEAST_WORTH = 0.02
/** Weight below which an average is about a time long past. */
const FORGOTTEN = 0.01
