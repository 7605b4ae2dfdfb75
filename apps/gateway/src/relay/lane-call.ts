import type { ErrorCode } from '@sluice/contract/errors'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { BegunCall, CallCause, Health, Rest } from '@sluice/routing/health'
import type { Lane } from '@sluice/routing/lane'
import type { Candidate } from './choose.ts'
import type { UpstreamCall } from './upstream-call.ts'

export interface LaneCallDeps {
  readonly health: Pick<Health, 'standing' | 'begin'>
  /** Told of every call to a provider that is over; must return at once. */
  readonly onCalled: (called: CalledLane) => void
  readonly now: () => number
  /** Milliseconds of a clock that only goes on. */
  readonly steady: () => number
}

type EndedCall = Pick<UpstreamCall, 'status' | 'firstUpstream'> & Partial<Pick<UpstreamCall, 'clocksDiffer'>>

/** A call to a provider, as its lane's health and those who count calls hear of it. */
export interface LaneCall {
  /** Unix milliseconds. */
  readonly started: number
  /** Milliseconds that it has taken so far, whatever happens to the clock meanwhile. */
  elapsed(): number
  /** The first byte of an answer came. */
  answered(call: Pick<UpstreamCall, 'firstUpstream'>): void
  /**
   * It is over; only the first end counts. `code` is empty when all is well; `waitMs` is what the provider asked for. Answers the
   * rest that its lane was given for it.
   */
  end(call: EndedCall, cause: CallCause, code: ErrorCode | '', waitMs?: number): Rest | undefined
}

/** May be about what was asked: a moderated prompt, a file of somebody else, a region, one model. */
const FORBIDDEN = 403

/** `user` is whose request it is. */
export function beginLaneCall(deps: LaneCallDeps, { lane }: Pick<Candidate, 'lane'>, user: number): LaneCall {
  return new RunningCall(deps, lane, user)
}

class RunningCall implements LaneCall {
  readonly started: number
  private readonly deps: LaneCallDeps
  private readonly lane: Lane
  private readonly user: number
  private readonly begun: BegunCall
  private readonly begunAt: number
  private isOver = false

  constructor(deps: LaneCallDeps, lane: Lane, user: number) {
    this.deps = deps
    this.lane = lane
    this.user = user
    this.started = deps.now()
    this.begunAt = deps.steady()
    this.begun = deps.health.begin(lane, this.started)
  }

  elapsed(): number {
    return Math.round(this.deps.steady() - this.begunAt)
  }

  answered({ firstUpstream }: Pick<UpstreamCall, 'firstUpstream'>): void {
    this.begun.answered(Math.max(0, firstUpstream - this.started), this.deps.now())
  }

  end(
    { status, firstUpstream, clocksDiffer }: EndedCall,
    cause: CallCause,
    code: ErrorCode | '',
    waitMs?: number,
  ): Rest | undefined {
    if (this.isOver) return undefined
    this.isOver = true
    const { lane, user, started } = this
    const ended = this.deps.now()
    const rest = this.begun.end(cause === 'account' && status === FORBIDDEN ? 'denied' : cause, ended, waitMs)
    this.deps.onCalled({
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
      rest,
      clocksDiffer,
    })
    return rest
  }
}
