import type { Refusal } from '@sluice/contract/errors'
import { type Loss, lossesText } from '@sluice/dialects/canon/losses'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { CallCause, Rest, Standing } from '@sluice/routing/health'
import type { RetryBudgets } from '@sluice/routing/retry-budget'
import type { StageTimeouts } from '../outbound/guarded-agent.ts'
import { type AskDeps, askUpstream, type Running } from './ask-upstream.ts'
import type { AnswerReader } from './calls/asked.ts'
import type { Candidate } from './choose.ts'
import { ClientStream, type StreamTimes } from './client-stream.ts'
import { codeOf, type Failure, type FailureReply, refused } from './failure.ts'
import type { PlainAnswer } from './judge.ts'
import { beginLaneCall, type LaneCall, type LaneCallDeps } from './lane-call.ts'
import { limitChannel, type LimitDeps } from './limit.ts'
import { prepare } from './prepare/prepare.ts'
import { openSource, type Source } from './prepare/rendition.ts'
import type { Pulse } from './pulse.ts'
import type { RelayOptions } from './relay-options.ts'
import type { Reserved } from './reserve.ts'
import { keyOf } from './route.ts'
import type { CallRequest, UpstreamCall } from './upstream-call.ts'
import { openPlainWatch, type PlainWatch, type PlainWatchDeps } from './watch-plain.ts'

/** One try at one channel, as the trace shows it. Times in unix milliseconds. */
export interface Attempt {
  readonly channel: number
  readonly channelName: string
  readonly started: number
  readonly ended: number
  /** Upstream status; 0 when no answer came. */
  readonly status: number
  /** Catalogue code; empty on success. */
  readonly error: string
  /** Position of the key, where the channel has several. */
  readonly key?: number
  /** What the failure says about the channel; absent on success. */
  readonly cause?: CallCause
  /** How long its lane is left alone for it. */
  readonly rest?: Pick<Rest, 'cause' | 'until'>
}

/** What every way out of this step knows. */
interface Tried extends Reserved {
  /** Failed attempts, in order. */
  readonly attempts: readonly Attempt[]
  /** Unix milliseconds when the first call was sent; 0 when none was. */
  readonly forwarded: number
  /** The client's side of a streamed answer; undefined for a plain one. */
  readonly client: ClientStream | undefined
}

/** A request with an answer on its way: step 7 of ten. Its hold stands. */
export interface Answered extends Tried {
  readonly candidate: Candidate
  readonly call: UpstreamCall
  /** To be told how the call ends. */
  readonly laneCall: LaneCall
  /** The whole reply; undefined when events are streaming. */
  readonly plain: PlainAnswer | undefined
  readonly reader: AnswerReader
  /** What the provider did not see as the client said it. */
  readonly losses: readonly Loss[]
}

/** A request that no channel answered, or that nobody waits for any more. */
export interface Unanswered extends Tried {
  /** Undefined when the client has left. */
  readonly failure: FailureReply | undefined
  /** The channel that was at work when the client left, or that counted something beside its error; undefined for none. */
  readonly atWork: Candidate | undefined
  /** What that channel counted beside the error that it reported instead of an answer. */
  readonly usage: UsageReport | undefined
  /** False when the ledger refused the hold: then nothing is to be released. */
  readonly isHeld: boolean
}

export interface DispatchDeps extends LimitDeps, PlainWatchDeps, AskDeps, LaneCallDeps {
  readonly times: StageTimeouts & StreamTimes & RetryTimes
  /** Keep further tries from multiplying the load of providers that are down; by the model that is asked for. */
  readonly retryBudgets: RetryBudgets
  readonly pulse: Pulse
  readonly options: () => Pick<RelayOptions, 'LossPolicy'>
}

type RetryDeps = Pick<DispatchDeps, 'now' | 'retryBudgets'> & { readonly times: RetryTimes }

/** What further tries of a request depend on. */
interface RetriedRequest {
  readonly accepted: Pick<Reserved['accepted'], 'received'>
  readonly asked: Pick<Reserved['asked'], 'model'>
}

/** Milliseconds. */
export interface RetryTimes {
  /** No further try begins later than this after a request came in. */
  readonly retryDeadlineMs: number
}

/**
 * Sends the request, and sends it to the next candidate while nothing of an answer was delivered. A plain answer is complete
 * when this resolves; a stream has its first event.
 */
export async function dispatch(deps: DispatchDeps, reserved: Reserved): Promise<Answered | Unanswered> {
  const watch = openPlainWatch(deps, reserved)
  const running = followReasonsToStop(reserved)
  try {
    return await tryCandidates(deps, reserved, watch, running)
  } catch (error) {
    // After a bug: a call that never ends would pass for one that waits in vain.
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
  const client = reserved.asked.stream ? openClient(deps, reserved) : undefined
  const source = openSource(reserved)
  const attempts: Attempt[] = []
  const queue = [...reserved.candidates]
  let forwarded = 0
  let failure: Failure | undefined
  let atWork: Candidate | undefined
  let mayRepeat = true
  const failing: number[] = []
  const next = () => takeNext(deps, queue, failing, attempts.length > 0)
  for (let candidate = next(); candidate !== undefined && !running.isStopped; candidate = next()) {
    const request = requestFor(deps, reserved, source, candidate)
    if ('failure' in request) {
      failure ??= request.failure
      continue
    }
    if (attempts.length > 0 && !mayRetry(deps, reserved, attempts.at(-1)?.cause)) break
    if (attempts.length === 0) deps.retryBudgets.of(reserved.asked.model).sent(deps.now())
    const laneCall = beginLaneCall(deps, candidate, reserved.identity.userId)
    running.laneCall = laneCall
    const before = atWork
    if (forwarded === 0) forwarded = laneCall.started
    atWork = candidate
    if (watch !== undefined) watch.candidate = candidate
    const { call, outcome } = await askUpstream(deps, request, running)
    if (!('retry' in outcome)) {
      laneCall.answered(call)
      if (reserved.hold.pending !== undefined) await reserved.hold.pending
      if (running.isStopped) {
        laneCall.end(call, 'stopped', '')
        failure = undefined
        break
      }
      const { losses, reader } = request
      if (client !== undefined) client.lost = losses
      if (losses.some(isCap)) reserved.hold.open = true
      const { plain } = outcome
      return { ...reserved, attempts, forwarded, client, candidate, call, laneCall, losses, reader, plain }
    }
    // What a fallback cannot take may be right for the model that was asked for.
    const isUnfit = !outcome.retry && failure !== undefined && candidate.model !== reserved.asked.model
    if (isUnfit) atWork = before
    else failure = outcome
    const code = codeOf(outcome.reply)
    // A kept connection that the provider had given up says nothing about the provider.
    const isRepeated = outcome.wasClosed && mayRepeat
    const rest = laneCall.end(call, isRepeated ? 'stopped' : outcome.cause, code, outcome.waitMs)
    attempts.push(attemptOf(candidate, call, laneCall.started, deps.now(), { error: code, cause: outcome.cause, rest }))
    if (!outcome.retry && !isUnfit) break
    if (isRepeated) {
      mayRepeat = false
      queue.unshift(candidate)
    } else if (outcome.cause === 'provider') failing.push(candidate.route.channel.id)
  }
  return await unanswered(reserved, { attempts, forwarded, client, atWork }, failure, running.call)
}

/**
 * The first that does not rest by now: since the plan was made others may have found out, or have begun the one probe. Another key
 * of a channel that has just failed comes after other channels. Whoever asked to be left alone since then is not asked by a further
 * try: nothing else bounds those.
 */
function takeNext(
  { health, now }: LaneCallDeps,
  queue: Candidate[],
  failing: readonly number[],
  isFurther: boolean,
): Candidate | undefined {
  if (queue.length < 2 && !isFurther) return queue.shift()
  const time = now()
  const standings = new Map(queue.map((candidate) => [candidate, health.standing(candidate.lane, time)]))
  const isAwake = (candidate: Candidate) => standings.get(candidate)?.kind !== 'resting'
  const isWelcome = (candidate: Candidate) => !isFurther || !hasAskedForPause(standings.get(candidate))
  const next =
    queue.find((candidate) => !failing.includes(candidate.lane.channel) && isAwake(candidate)) ??
    queue.find(isAwake) ??
    queue.find(isWelcome)
  if (next !== undefined) queue.splice(queue.indexOf(next), 1)
  return next
}

function hasAskedForPause(standing: Standing | undefined): boolean {
  return standing?.kind === 'resting' && standing.cause === 'limited' && standing.isGuess !== true
}

interface RunningTry extends Running {
  laneCall: LaneCall | undefined
}

const NO_ANSWER = { status: 0, firstUpstream: 0 } as const

/** A client that leaves, a gateway that stops, or a hold that is refused while the provider already works ends the call. */
function followReasonsToStop({ accepted: { signal }, hold }: Reserved): RunningTry {
  const running: RunningTry = { call: undefined, laneCall: undefined, isStopped: signal.aborted, signal }
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

/** What to send to a candidate, or why it cannot be asked. */
function requestFor(
  deps: DispatchDeps,
  reserved: Reserved,
  source: Source,
  candidate: Candidate,
): CallRequest | { readonly failure: Failure } {
  const refusal = limitChannel(deps, reserved.identity.tokenId, candidate.route)
  const request = refusal ?? prepare(source, candidate)
  if ('code' in request) return { failure: refused(request) }
  if (request.losses.length === 0 || !isStrict(deps, reserved)) return request
  return { failure: refused({ code: 'losses_refused', params: { losses: lossesText(request.losses) } }) }
}

/** A limit to the answer that its provider was not told limits nothing. */
const isCap = ({ what, became }: Loss) => what === 'max_tokens' && became === 'dropped'

/** A caller that would rather be refused than half understood. */
function isStrict({ options }: DispatchDeps, { accepted }: Reserved): boolean {
  return options().LossPolicy === 'refuse' || accepted.headers['x-sluice-strict'] === 'true'
}

async function unanswered(
  reserved: Reserved,
  tried: Pick<Unanswered, 'attempts' | 'forwarded' | 'client' | 'atWork'>,
  failure: Failure | undefined,
  call: UpstreamCall | undefined,
): Promise<Unanswered> {
  // Whatever the ledger says, it must have said it before anything is released.
  const refusal = await reserved.hold.pending
  call?.cancel('nobody waits for the answer')
  const { signal, reply } = reserved.accepted
  const isHeld = refusal === undefined
  const usage = failure?.usage
  const wasAtWork = failure === undefined || failure.cause === 'stopped' || usage !== undefined
  const shared = { ...reserved, ...tried, isHeld, usage, atWork: wasAtWork ? tried.atWork : undefined }
  if (reply.destroyed) return { ...shared, failure: undefined }
  const stopped: Refusal | undefined = signal.aborted ? { code: 'shutting_down', retryAfter: 1 } : undefined
  const said = refusal ?? stopped
  return { ...shared, failure: said === undefined ? failure?.reply : { refusal: said } }
}

function openClient({ times, pulse }: DispatchDeps, { accepted, asked, hold }: Reserved): ClientStream {
  const { reply, replyHeaders } = accepted
  const client = new ClientStream(
    reply,
    asked.voice,
    replyHeaders,
    times,
    () => hold.pending === undefined,
    pulse.now(),
  )
  reply.once('close', pulse.add(client))
  return client
}

/**
 * Whether another channel may be asked after a failure. The budget is for providers that do not work: one that says no keeps others
 * away by its rest, and that is answer enough.
 */
export function mayRetry(
  { now, times, retryBudgets }: RetryDeps,
  { accepted, asked }: RetriedRequest,
  cause?: CallCause,
): boolean {
  const time = now()
  if (time - accepted.received > times.retryDeadlineMs) return false
  return cause !== 'provider' || retryBudgets.of(asked.model).take(time)
}

function attemptOf(
  { route }: Candidate,
  { completed, status }: UpstreamCall,
  started: number,
  now: number,
  { error, cause, rest }: { readonly error: string; readonly cause: CallCause; readonly rest: Rest | undefined },
): Attempt {
  const { id, name } = route.channel
  return {
    channel: id,
    channelName: name,
    started,
    // A call that could not be signed in was never sent.
    ended: completed || now,
    status,
    error,
    cause,
    ...keyOf(route),
    ...(rest === undefined ? {} : { rest: { cause: rest.cause, until: rest.until } }),
  }
}
