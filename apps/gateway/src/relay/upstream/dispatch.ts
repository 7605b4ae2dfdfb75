import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { type Loss, lossesText } from '@sluice/dialects/canon/losses'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { LimitChannel } from '../caller/limits/limit.ts'
import { type PlainWatch } from '../charge/watch-plain.ts'
import { ClientStream, type StreamTimes } from '../client/client-stream.ts'
import { tellGroup } from '../client/group-header.ts'
import type { Pulse } from '../client/pulse.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { LaneCall, Answered, Unanswered } from '../stages/answered.ts'
import { endedRefusal } from '../stages/call-stopped.ts'
import { type CallerCredential, SentCredential, StoredCredential } from '../stages/caller-credential.ts'
import type { Candidate, Reserved } from '../stages/planned.ts'
import { askInBatches } from './ask-in-batches.ts'
import { askUpstream, type CallResult, type Running, type StoppableCall } from './ask-upstream.ts'
import { type AttemptDeps, Attempts, type RetryTimes } from './attempts.ts'
import { type Failure, refused } from './failure.ts'
import { beginLaneCall, type LaneCallDeps } from './lane-call.ts'
import { prepare } from './prepare/prepare.ts'
import { openSource, type Source } from './prepare/upstream-body.ts'
import { type AskBySocketDeps, askBySocket } from './sockets/ask-by-socket.ts'
import type { CallRequest } from './upstream-call.ts'

export interface DispatchDeps extends AskBySocketDeps, LaneCallDeps, AttemptDeps {
  readonly limitChannel: LimitChannel
  readonly watchPlain: (reserved: Reserved) => PlainWatch | undefined
  readonly times: StageTimeouts & StreamTimes & RetryTimes
  readonly pulse: Pulse
  readonly options: () => Pick<RelayOptions, 'LossPolicy'>
}

/** Tries candidates until part of an answer is delivered. When this resolves, a plain answer is complete or a stream has begun. */
export async function dispatch(deps: DispatchDeps, reserved: Reserved): Promise<Answered | Unanswered> {
  const watch = deps.watchPlain(reserved)
  const running = followReasonsToStop(reserved)
  try {
    return await tryCandidates(deps, reserved, watch, running)
  } catch (error) {
    // Only a bug leads here. Without this, the call would seem to wait forever.
    running.call?.cancel('the relay failed')
    running.laneCall?.end(NO_ANSWER, 'stopped', '')
    throw error
  } finally {
    watch?.close()
  }
}

async function tryCandidates(
  deps: DispatchDeps,
  reserved: Reserved,
  watch: PlainWatch | undefined,
  running: RunningTry,
): Promise<Answered | Unanswered> {
  const client = reserved.parsed.stream ? openClient(deps, reserved) : undefined
  const source = openSource(reserved, deps.now)
  const attempts = new Attempts(deps, reserved, reserved.candidates)
  // Without memory for the answer, it is better to refuse before the call costs anything.
  const full = client === undefined ? (running.hold(deps.answerLimit) ?? running.hold(0)) : undefined
  if (full !== undefined) {
    attempts.skip(refused(full))
    return await unanswered(reserved, client, attempts, undefined)
  }
  for (let candidate = attempts.next(); candidate !== undefined && !running.isStopped; candidate = attempts.next()) {
    const limited = deps.limitChannel(reserved.identity.tokenId, candidate.route)
    const request = requestFor(deps, reserved, source, candidate, limited && (await limited))
    if ('failure' in request) {
      attempts.skip(request.failure)
      continue
    }
    if (!attempts.maySend()) break
    const laneCall = beginLaneCall(deps, candidate, reserved.identity.userId)
    running.laneCall = laneCall
    attempts.begin(candidate, laneCall.started)
    reserved.flight?.asks(candidate)
    if (watch !== undefined) watch.candidate = candidate
    const framed = await askBySocket(deps, reserved, candidate, request, running)
    const { call, outcome } = framed ?? (await ask(deps, request, running))
    if ('retry' in outcome) {
      if (attempts.fail(candidate, laneCall, call, refusedToCaller(candidate, outcome))) continue
      break
    }
    laneCall.answered(call)
    if (reserved.hold.pending !== undefined) await reserved.hold.pending
    if (running.isStopped) {
      laneCall.end(call, 'stopped', '')
      attempts.failure = undefined
      break
    }
    const { losses, reader } = request
    if (client !== undefined) client.lost = losses
    tellGroup(reserved.accepted, candidate.group)
    if (losses.some(isCap)) reserved.hold.open = true
    const { failed, forwarded } = attempts
    const { plain } = outcome
    return { ...reserved, attempts: failed, forwarded, client, candidate, call, laneCall, losses, reader, plain }
  }
  return await unanswered(reserved, client, attempts, running.call)
}

/** Only the caller can fix their own refused key, so no other channel is tried unless the platform's are allowed. */
export function refusedToCaller({ route: { caller } }: Pick<Candidate, 'route'>, failure: Failure): Failure {
  if (caller === undefined || failure.cause !== 'account') return failure
  const what = nameOf(caller)
  const retry = caller instanceof StoredCredential && caller.fallsBack
  return { ...failure, reply: { refusal: { code: 'caller_credential_refused', params: { what } } }, retry }
}

function nameOf(caller: CallerCredential): string {
  if (caller instanceof StoredCredential) return `your own key of ${caller.vendor}`
  return caller instanceof SentCredential ? `the key in the header ${caller.header}` : 'the key'
}

function ask(deps: DispatchDeps, request: CallRequest, running: Running<StoppableCall>): Promise<CallResult> {
  const { batches } = request
  return batches === undefined ? askUpstream(deps, request, running) : askInBatches(deps, batches, running)
}

interface RunningTry extends Running<StoppableCall> {
  laneCall: LaneCall | undefined
}

const NO_ANSWER = { status: 0, firstUpstream: 0 } as const

/** Ends the call when the client leaves, the gateway stops, or the hold is refused while the provider is already working. */
function followReasonsToStop({ accepted, identity, hold }: Reserved): RunningTry {
  const { signal } = accepted
  const running: RunningTry = {
    call: undefined,
    laneCall: undefined,
    isStopped: signal.aborted,
    signal,
    hold: (bytes) => accepted.holdAnswer(identity, bytes),
  }
  const stop = (reason: string) => {
    running.isStopped = true
    running.call?.cancel(reason)
  }
  signal.addEventListener('abort', () => {
    running.isStopped = true
    running.call?.abandon('the client left or the gateway stops')
  })
  hold.pending?.then(
    (refusal) => {
      if (refusal !== undefined) stop('the hold was refused')
    },
    () => stop('the hold failed'),
  )
  return running
}

function requestFor(
  deps: DispatchDeps,
  reserved: Reserved,
  source: Source,
  candidate: Candidate,
  refusal: Refusal | undefined,
): CallRequest | { readonly failure: Failure } {
  const request = refusal ?? prepare(source, candidate)
  if (isRefusal(request)) return { failure: refused(request) }
  if (request.losses.length === 0 || !isStrict(deps, reserved)) return request
  return { failure: refused({ code: 'losses_refused', params: { losses: lossesText(request.losses) } }) }
}

/** An answer limit that the provider did not receive limits nothing. */
const isCap = ({ what, became }: Loss) => what === 'max_tokens' && became === 'dropped'

/** Whether the caller prefers a refusal to a loss. */
function isStrict({ options }: DispatchDeps, { accepted }: Reserved): boolean {
  return options().LossPolicy === 'refuse' || accepted.headers['x-sluice-strict'] === 'true'
}

async function unanswered(
  reserved: Reserved,
  client: ClientStream | undefined,
  { failed, forwarded, failure, atWork }: Attempts,
  call: StoppableCall | undefined,
): Promise<Unanswered> {
  // Nothing may be released before the ledger has answered.
  const refusal = await reserved.hold.pending
  call?.cancel('nobody waits for the answer')
  const { signal, reply } = reserved.accepted
  const isHeld = refusal === undefined
  const usage = failure?.usage
  const wasAtWork = failure === undefined || failure.cause === 'stopped' || usage !== undefined
  const shared = {
    ...reserved,
    attempts: failed,
    forwarded,
    client,
    isHeld,
    usage,
    atWork: wasAtWork ? atWork : undefined,
  }
  if (reply.destroyed) return { ...shared, failure: undefined }
  const stopped = signal.aborted ? endedRefusal(signal) : undefined
  const said = refusal ?? stopped
  return { ...shared, failure: said === undefined ? failure?.reply : { refusal: said } }
}

function openClient({ times, pulse }: DispatchDeps, { accepted, parsed, hold }: Reserved): ClientStream {
  const { reply, replyHeaders } = accepted
  const client = new ClientStream(
    reply,
    parsed.format,
    replyHeaders,
    times,
    () => hold.pending === undefined,
    pulse.now(),
  )
  reply.once('close', pulse.add(client))
  return client
}
