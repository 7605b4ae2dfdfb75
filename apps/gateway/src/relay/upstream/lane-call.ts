import type { ErrorCode } from '@sluice/contract/errors'
import type { BegunCall, CallCause, Cooldown, Health } from '@sluice/routing/health'
import type { CalledLane, Lane } from '@sluice/routing/lane'
import type { EndedCall, LaneCall } from '../stages/answered.ts'
import type { Candidate } from '../stages/planned.ts'
import { CALLERS_KEY } from '../stages/route.ts'

export interface LaneCallDeps {
  readonly health: Pick<Health, 'standing' | 'begin'>
  /** Notified of every call to a provider that has ended; must return at once. */
  readonly onCalled: (called: CalledLane) => void
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly steady: () => number
}

/** May be caused by the request: a moderated prompt, another user's file, a region, a single model. */
const FORBIDDEN = 403

export function beginLaneCall(deps: LaneCallDeps, { lane }: Pick<Candidate, 'lane'>, user: number): LaneCall {
  return new RunningCall(deps, lane, user)
}

/** A caller's own key and its account's permissions say nothing about the channel. */
function causeFor({ key }: Lane, reported: CallCause): CallCause {
  return key === CALLERS_KEY && OF_THE_KEY.has(reported) ? 'request' : reported
}

const OF_THE_KEY: ReadonlySet<CallCause> = new Set(['account', 'limited', 'unknown_model'])

class RunningCall implements LaneCall {
  readonly started: number
  readonly #deps: LaneCallDeps
  readonly #lane: Lane
  readonly #user: number
  readonly #begun: BegunCall
  readonly #begunAt: number
  #isOver = false
  #hasHeard = false

  constructor(deps: LaneCallDeps, lane: Lane, user: number) {
    this.#deps = deps
    this.#lane = lane
    this.#user = user
    this.started = deps.now()
    this.#begunAt = deps.steady()
    this.#begun = deps.health.begin(lane, this.started)
  }

  elapsed(): number {
    return Math.round(this.#deps.steady() - this.#begunAt)
  }

  answered({ firstUpstream, windows }: Pick<EndedCall, 'firstUpstream' | 'windows'>): void {
    this.#hear(windows)
    this.#begun.answered(Math.max(0, firstUpstream - this.started), this.#deps.now())
  }

  /** Called once for each call. The account of a caller's own key is private. */
  #hear(windows: EndedCall['windows']): void {
    if (windows === undefined || this.#hasHeard || this.#lane.key === CALLERS_KEY) return
    this.#hasHeard = true
    this.#begun.heard(windows, this.#deps.now())
  }

  end(
    { status, firstUpstream, clocksDiffer, windows }: EndedCall,
    reported: CallCause,
    code: ErrorCode | '',
    waitMs?: number,
  ): Cooldown | undefined {
    if (this.#isOver) return undefined
    this.#isOver = true
    const cause = causeFor(this.#lane, reported)
    this.#hear(windows)
    const { started } = this
    const lane = this.#lane
    const user = this.#user
    const ended = this.#deps.now()
    const cooldown = this.#begun.end(cause === 'account' && status === FORBIDDEN ? 'denied' : cause, ended, waitMs)
    this.#deps.onCalled({
      channel: lane.channel,
      key: lane.key,
      model: lane.model,
      user,
      cause,
      code,
      status,
      started,
      elapsedMs: this.elapsed(),
      firstByteMs: firstUpstream === 0 ? undefined : Math.max(0, firstUpstream - started),
      cooldown,
      clocksDiffer,
    })
    return cooldown
  }
}
