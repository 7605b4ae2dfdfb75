import type { FollowUp } from '@sluice/dialects/canon/codec'
import type { Dispatcher } from 'undici'
import type { StageTimeouts } from '../outbound/guarded-agent.ts'
import { type Failure, failureOfCall } from './failure.ts'
import { judge, type PlainAnswer } from './judge.ts'
import { type CallRequest, UpstreamCall } from './upstream-call.ts'

export interface AskDeps {
  readonly upstreams: Dispatcher
  readonly times: StageTimeouts
  readonly answerLimit: number
  readonly now: () => number
}

/** The call that runs at the moment, and whether anybody still waits for it. */
export interface Running {
  call: UpstreamCall | undefined
  isStopped: boolean
}

/** What came of asking one provider. */
export interface Told {
  /** The last call, whose times and status stand for all. */
  readonly call: UpstreamCall
  readonly outcome: { readonly plain: PlainAnswer | undefined } | Failure
}

/** A provider's job is waited for at most this long: pictures and films are made in seconds to minutes. */
const JOB_LIMIT_MS = 600_000

/** Asks one provider. Where it answers with a job, asks for the job until it is done. */
export async function askUpstream(deps: AskDeps, request: CallRequest, running: Running): Promise<Told> {
  const deadline = deps.now() + JOB_LIMIT_MS
  for (let next = request; ;) {
    const { credentials } = next
    const headers = credentials === undefined ? next.headers : [...next.headers, ...credentials.sign(next, deps.now())]
    const call = new UpstreamCall(headers === next.headers ? next : { ...next, headers }, deps.answerLimit, deps.now)
    running.call = call
    const outcome = judge(deps.times, next.reader, call, await call.start(deps.upstreams))
    if (!('follow' in outcome)) return { call, outcome }
    if (deps.now() > deadline) return { call, outcome: jobTooLong(deps.times) }
    await pause(outcome.follow.afterMs)
    if (running.isStopped) return { call, outcome: failureOfCall({ cause: 'cancelled' }, undefined, deps.times) }
    next = followed(request, outcome.follow)
  }
}

const NO_BODY = Buffer.alloc(0)

/** The same address, credentials and reader, for another path. */
function followed(request: CallRequest, { path }: FollowUp): CallRequest {
  return { ...request, method: 'GET', path, body: NO_BODY, stream: false }
}

const jobTooLong = (times: StageTimeouts): Failure =>
  failureOfCall(
    { cause: 'invalid', reason: `its job took longer than ${JOB_LIMIT_MS / 60_000} minutes` },
    undefined,
    times,
  )

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(Math.max(ms, LEAST_PAUSE_MS), MOST_PAUSE_MS))
  })
}

const LEAST_PAUSE_MS = 100
const MOST_PAUSE_MS = 5_000
