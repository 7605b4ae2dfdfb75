import type { Refusal } from '@sluice/contract/errors'
import type { FollowUp } from '@sluice/dialects/canon/codec'
import type { SignedCredentials, TokenCredentials } from '@sluice/providers/credentials/credentials'
import type { Dispatcher } from 'undici'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { PlainAnswer } from '../stages/answered.ts'
import { classifyStart } from './classify-start.ts'
import { type Failure, failureOfCall, noMemory } from './failure.ts'
import { type CallRequest, UpstreamCall } from './upstream-call.ts'
import type { TokenProblem, UpstreamTokens } from './upstream-tokens.ts'

export interface AskDeps {
  readonly upstreams: Dispatcher
  readonly times: StageTimeouts
  readonly answerLimit: number
  readonly now: () => number
  /** Milliseconds that only increase. */
  readonly steady: () => number
  readonly upstreamTokens: UpstreamTokens
}

/** A call, or several that look like one to the waiting caller. */
export type StoppableCall = Pick<UpstreamCall, 'cancel' | 'abandon'>

export interface Running<Call = UpstreamCall> {
  call: Call | undefined
  isStopped: boolean
  /** Aborts when no caller is waiting. */
  readonly signal: AbortSignal
  /** Reserves memory for a plain answer, `bytes` in total; see `Accepted.holdAnswer`. */
  readonly hold: (bytes: number) => Refusal | undefined
}

export interface CallResult {
  /** The last call; its times and status represent all of them. */
  readonly call: UpstreamCall
  readonly outcome: { readonly plain: PlainAnswer | undefined } | Failure
}

export type AskUpstream = (request: CallRequest, running: Running<StoppableCall>) => Promise<CallResult>

/** The longest wait for a provider's job; pictures and videos take seconds to minutes. */
const JOB_LIMIT_MS = 600_000

/** Calls one provider. If it answers with a job, polls the job until it is done. */
export async function askUpstream(
  deps: AskDeps,
  request: CallRequest,
  running: Running<StoppableCall>,
): Promise<CallResult> {
  const deadline = deps.steady() + JOB_LIMIT_MS
  let hasNewToken = false
  for (let next = request; ;) {
    const shown = next.credentials && (await present(deps, next, next.credentials, running.signal))
    const call = new UpstreamCall(shown?.request ?? next, { bytes: deps.answerLimit, hold: running.hold }, deps.now)
    running.call = call
    // A hold can be refused, or a client can leave, while a token is being fetched.
    if (running.isStopped) return { call, outcome: givenUp(deps.times) }
    if (shown?.problem !== undefined) return { call, outcome: notSignedIn(shown.problem) }
    const outcome = classifyStart(deps.times, next, call, await call.start(deps.upstreams))
    if (shown?.token !== undefined && isTokenRefused(call, outcome) && !hasNewToken) {
      // Providers can revoke a token before it expires.
      hasNewToken = true
      deps.upstreamTokens.forget(shown.token.credentials, shown.token.text)
      continue
    }
    if (!('follow' in outcome)) return { call, outcome: holdConverted(running, outcome) }
    if (deps.steady() > deadline) return { call, outcome: jobTooLong(deps.times) }
    await pause(outcome.follow.afterMs, running.signal)
    if (running.isStopped) return { call, outcome: givenUp(deps.times) }
    next = followed(request, outcome.follow)
  }
}

/** Claims the memory of the converted answer, which can be larger than the original. */
export function holdConverted({ hold }: Pick<Running, 'hold'>, outcome: CallResult['outcome']): CallResult['outcome'] {
  if ('retry' in outcome) return outcome
  const refusal = outcome.plain && hold(outcome.plain.body.length)
  return refusal === undefined ? outcome : noMemory(refusal)
}

const UNAUTHORISED = 401

/** Some providers report a refused token with a success status. */
function isTokenRefused(call: UpstreamCall, outcome: ReturnType<typeof classifyStart>): boolean {
  return call.status === UNAUTHORISED || (call.status < 300 && 'cause' in outcome && outcome.cause === 'account')
}

interface Presented {
  readonly request: CallRequest
  readonly token?: { readonly credentials: TokenCredentials; readonly text: string }
  readonly problem?: TokenProblem
}

export async function present(
  { upstreamTokens, now }: Pick<AskDeps, 'upstreamTokens' | 'now'>,
  request: CallRequest,
  credentials: SignedCredentials | TokenCredentials,
  signal: AbortSignal,
): Promise<Presented> {
  const { headers } = request
  if (credentials.kind === 'signed') {
    return { request: { ...request, headers: [...headers, ...credentials.sign(request, now())] } }
  }
  const got = await upstreamTokens.token(credentials, signal)
  if ('problem' in got) return { request, problem: got }
  const query = credentials.query?.(got.token)
  const path = query === undefined ? request.path : `${request.path}${request.path.includes('?') ? '&' : '?'}${query}`
  const signed = { ...request, path, headers: [...headers, ...credentials.headers(got.token)] }
  return { request: signed, token: { credentials, text: got.token } }
}

/** The reason is for the operator, who can test the channel; clients cannot act on it. */
function notSignedIn({ problem: detail, cause }: TokenProblem): Failure {
  return { cause, reply: { refusal: { code: 'upstream_credentials' } }, retry: true, wasClosed: false, detail }
}

const NO_BODY = Buffer.alloc(0)

function followed(request: CallRequest, { path }: FollowUp): CallRequest {
  return { ...request, method: 'GET', path, body: NO_BODY, stream: false }
}

const jobTooLong = (times: StageTimeouts): Failure =>
  failureOfCall({ cause: 'invalid', reason: `its job took longer than ${JOB_LIMIT_MS / 60_000} minutes` }, times)

const givenUp = (times: StageTimeouts): Failure => failureOfCall({ cause: 'cancelled' }, times)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(Math.max(ms, LEAST_PAUSE_MS), MOST_PAUSE_MS))
    signal.addEventListener('abort', end)
  })
}

const LEAST_PAUSE_MS = 100
const MOST_PAUSE_MS = 5_000
