import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import type { AddressGuard } from '../../outbound/address-guard.ts'
import type { FrameSocket } from '../../outbound/frame-socket.ts'
import { openGuardedSocket, type SocketFailure, type SocketRequest } from '../../outbound/guarded-socket.ts'
import type { LimitChannel } from '../caller/limits/limit.ts'
import { groupOf, type Attempt } from '../stages/attempt.ts'
import { codeOf, type FailureReply } from '../stages/failure-reply.ts'
import type { Identity } from '../stages/identity.ts'
import type { Candidate } from '../stages/planned.ts'
import { keyOf } from '../stages/route.ts'
import type { AskDeps } from '../upstream/ask-upstream.ts'
import { isRefusedToo, mayRetry } from '../upstream/attempts.ts'
import { type DispatchDeps, refusedToCaller } from '../upstream/dispatch.ts'
import { type Failure, failureOfCall, failureOfStatus, refused } from '../upstream/failure.ts'
import { beginLaneCall, type LaneCallDeps } from '../upstream/lane-call.ts'
import { waitOf } from '../upstream/reply-times.ts'
import type { RealtimeRequest } from './realtime-request.ts'

export interface ConnectDeps extends LaneCallDeps, Pick<AskDeps, 'upstreamTokens'> {
  readonly limitChannel: LimitChannel
  readonly guard: AddressGuard
  readonly times: DispatchDeps['times']
  readonly retryBudgets: DispatchDeps['retryBudgets']
  readonly now: () => number
}

/** A provider's end of a session, paused. */
export interface Connected {
  readonly candidate: Candidate
  readonly upstream: FrameSocket
}

export interface Unconnected {
  readonly failure: FailureReply
  readonly attempts: readonly Attempt[]
}

/** Maximum bytes of one message: OpenAI accepts 15 MB of audio in one, but no client sends more than a second at a time. */
export const MAX_FRAME = 8_388_608
const NO_BODY = new Uint8Array(0)

export async function connect(
  deps: ConnectDeps,
  realtime: RealtimeRequest,
  { tokenId, userId }: Pick<Identity, 'tokenId' | 'userId'>,
  candidates: readonly Candidate[],
  accepted: Pick<Accepted, 'received' | 'signal'>,
): Promise<Connected | Unconnected> {
  const { signal } = accepted
  const attempts: Attempt[] = []
  let failure: Failure = refused({
    code: 'endpoint_not_served',
    params: { model: realtime.model, path: realtime.path },
  })
  let refusedTo: Candidate | undefined
  for (const candidate of candidates) {
    if (refusedTo !== undefined && isRefusedToo(candidate, refusedTo, failure)) continue
    const request = await requestFor(deps, realtime, tokenId, candidate, signal)
    if (isRefusal(request)) {
      failure = refused(request)
      continue
    }
    if (attempts.length === 0) deps.retryBudgets.of(realtime.model).sent(deps.now())
    else if (!mayRetry(deps, { accepted, parsed: realtime }, attempts.at(-1)?.cause)) break
    const laneCall = beginLaneCall(deps, candidate, userId)
    const limits = { maxFrame: MAX_FRAME, handshakeTimeoutMs: deps.times.firstByteTimeoutMs }
    const opened = await openGuardedSocket(deps.guard, request, limits, signal)
    const status = 'cause' in opened && opened.cause === 'status' ? opened.status : 0
    if (!('cause' in opened)) {
      // An opened session counts as an answered call of the channel; its responses are charged separately.
      laneCall.end({ status, firstUpstream: deps.now() }, 'answered', '')
      return { candidate, upstream: opened }
    }
    failure = refusedToCaller(candidate, failureOf(candidate, opened, deps))
    refusedTo = candidate
    const error = codeOf(failure.reply)
    const cooldown = laneCall.end({ status, firstUpstream: 0 }, failure.cause, error, failure.waitMs)
    const { id: channel, name: channelName } = candidate.route.channel
    const tried = { channel, channelName, started: laneCall.started, ended: deps.now(), status, error }
    attempts.push({
      ...tried,
      cause: failure.cause,
      ...(failure.said !== undefined && { said: failure.said }),
      ...keyOf(candidate.route),
      ...groupOf(candidate),
      ...(cooldown && { rest: { cause: cooldown.cause, until: cooldown.until } }),
    })
    if (!failure.retry || signal.aborted) break
  }
  return { failure: failure.reply, attempts }
}

async function requestFor(
  deps: ConnectDeps,
  realtime: RealtimeRequest,
  tokenId: number,
  { route, upstreamModel }: Candidate,
  signal: AbortSignal,
): Promise<SocketRequest | Refusal> {
  const limited = await deps.limitChannel(tokenId, route)
  if (limited !== undefined) return limited
  const adapter = route.adapter(realtime.endpoint, realtime, upstreamModel)
  if (adapter === undefined)
    return { code: 'endpoint_not_served', params: { model: realtime.model, path: realtime.path } }
  const { origin, path } = adapter.address(true)
  const headers = [...route.headers, ...(adapter.headers ?? []), ...realtime.headers]
  const { credentials } = route
  if (credentials === undefined) return { origin, path, headers }
  if (credentials.kind === 'signed') {
    const signed = credentials.sign({ method: 'GET', origin, path, headers, body: NO_BODY }, deps.now())
    return { origin, path, headers: [...headers, ...signed] }
  }
  const got = await deps.upstreamTokens.token(credentials, signal)
  if ('problem' in got) return { code: 'upstream_credentials' }
  return { origin, path, headers: [...headers, ...credentials.headers(got.token)] }
}

function failureOf({ route }: Candidate, failure: SocketFailure, { times }: ConnectDeps): Failure {
  switch (failure.cause) {
    case 'status':
      return failureOfStatus(route.kind, failure.status, failure.body, waitOf(failure.headers))
    case 'timeout':
      return failureOfCall({ cause: 'timeout', stage: 'first_byte' }, times)
    default:
      return failureOfCall({ cause: failure.cause }, times)
  }
}
