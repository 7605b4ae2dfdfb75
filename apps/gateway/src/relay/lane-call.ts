import type { ErrorCode } from '@sluice/contract/errors'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { CallCause, Health, Rest } from '@sluice/routing/health'
import type { Candidate } from './choose.ts'
import type { UpstreamCall } from './upstream-call.ts'

export interface LaneCallDeps {
  readonly health: Pick<Health, 'standing' | 'begin'>
  /** Told of every call to a provider that is over; must return at once. */
  readonly onCalled: (called: CalledLane) => void
  readonly now: () => number
}

/** A call to a provider, as its lane's health and those who count calls hear of it. */
export interface LaneCall {
  /** Unix milliseconds. */
  readonly started: number
  /** The first byte of an answer came. */
  answered(call: Pick<UpstreamCall, 'firstUpstream'>): void
  /**
   * It is over; only the first end counts. `code` is empty when all is well; `waitMs` is what the provider asked for. Answers the
   * rest that its lane was given for it.
   */
  end(
    call: Pick<UpstreamCall, 'status' | 'firstUpstream'>,
    cause: CallCause,
    code: ErrorCode | '',
    waitMs?: number,
  ): Rest | undefined
}

/** May be about what was asked: a moderated prompt, a file of somebody else, a region, one model. */
const FORBIDDEN = 403

/** `user` is whose request it is. */
export function beginLaneCall(
  { health, onCalled, now }: LaneCallDeps,
  { lane }: Pick<Candidate, 'lane'>,
  user: number,
): LaneCall {
  const started = now()
  const begun = health.begin(lane, started)
  let isOver = false
  return {
    started,
    answered: ({ firstUpstream }) => begun.answered(Math.max(0, firstUpstream - started), now()),
    end: ({ status, firstUpstream }, cause, code, waitMs) => {
      if (isOver) return undefined
      isOver = true
      const ended = now()
      const rest = begun.end(cause === 'account' && status === FORBIDDEN ? 'denied' : cause, ended, waitMs)
      onCalled({
        ...lane,
        user,
        cause,
        code,
        status,
        started,
        elapsedMs: Math.max(0, ended - started),
        firstByteMs: firstUpstream === 0 ? undefined : Math.max(0, firstUpstream - started),
        rest,
      })
      return rest
    },
  }
}
