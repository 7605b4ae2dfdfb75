import type { CallCause, Cooldown, Standing } from '@sluice/routing/health'
import type { RetryBudgets } from '@sluice/routing/retry-budget'
import type { LaneCall } from '../stages/answered.ts'
import { type Attempt, groupOf, transportOf } from '../stages/attempt.ts'
import { codeOf } from '../stages/failure-reply.ts'
import type { Candidate, Reserved } from '../stages/planned.ts'
import { keyOf } from '../stages/route.ts'
import { type Failure } from './failure.ts'
import type { LaneCallDeps } from './lane-call.ts'
import type { UpstreamCall } from './upstream-call.ts'

/** Milliseconds. */
export interface RetryTimes {
  /** No retry starts later than this after the request arrived. */
  readonly retryDeadlineMs: number
}

export interface AttemptDeps extends Pick<LaneCallDeps, 'health' | 'now'> {
  readonly times: RetryTimes
  /** Prevents retries from multiplying the load on providers that are down; by requested model. */
  readonly retryBudgets: RetryBudgets
}

interface RetriedRequest {
  readonly accepted: Pick<Reserved['accepted'], 'received'>
  readonly parsed: Pick<Reserved['parsed'], 'model'>
}

export class Attempts {
  readonly failed: Attempt[] = []
  /** Unix milliseconds when the first call was sent; 0 when none was. */
  forwarded = 0
  /** The failure to report if no candidate answers; undefined until one fails. */
  failure: Failure | undefined
  /** The candidate of the running call, or of `failure`. */
  atWork: Candidate | undefined
  readonly #deps: AttemptDeps
  readonly #request: RetriedRequest
  #queue: Candidate[]
  readonly #failing: number[] = []
  #before: Candidate | undefined
  #mayRepeat = true

  constructor(deps: AttemptDeps, request: RetriedRequest, candidates: readonly Candidate[]) {
    this.#deps = deps
    this.#request = request
    this.#queue = [...candidates]
  }

  /**
   * The first candidate whose lane is not in a cooldown; other requests may have caused one, or started the trial call, since
   * planning. Another key of a channel that has just failed comes after other channels. A lane whose provider has since asked for a
   * pause is not tried again, because nothing else limits such attempts.
   */
  next(): Candidate | undefined {
    const queue = this.#queue
    const isFurther = this.failed.length > 0
    if (queue.length < 2 && !isFurther) return queue.shift()
    const time = this.#deps.now()
    const standings = new Map(queue.map((candidate) => [candidate, this.#deps.health.standing(candidate.lane, time)]))
    const isAwake = (candidate: Candidate) => standings.get(candidate)?.kind !== 'resting'
    const isWelcome = (candidate: Candidate) => !isFurther || !hasRequestedPause(standings.get(candidate))
    const next =
      queue.find((candidate) => !this.#failing.includes(candidate.lane.channel) && isAwake(candidate)) ??
      queue.find(isAwake) ??
      queue.find(isWelcome)
    if (next !== undefined) queue.splice(queue.indexOf(next), 1)
    return next
  }

  skip(failure: Failure): void {
    this.failure ??= failure
  }

  /** Whether a call may be sent now; the first one always may. */
  maySend(): boolean {
    const last = this.failed.at(-1)
    if (last !== undefined) return mayRetry(this.#deps, this.#request, last.cause)
    this.#deps.retryBudgets.of(this.#request.parsed.model).sent(this.#deps.now())
    return true
  }

  begin(candidate: Candidate, started: number): void {
    this.#before = this.atWork
    if (this.forwarded === 0) this.forwarded = started
    this.atWork = candidate
  }

  /** False when no other candidate may be tried. */
  fail(candidate: Candidate, laneCall: LaneCall, call: UpstreamCall, failure: Failure): boolean {
    // A request that a fallback refuses may be valid for the requested model.
    const isUnfit = !failure.retry && this.failure !== undefined && candidate.model !== this.#request.parsed.model
    if (isUnfit || saysLess(failure, this.failure)) this.atWork = this.#before
    else this.failure = failure
    const error = codeOf(failure.reply)
    // A pooled connection closed by the provider says nothing about the provider's health.
    const isRepeated = failure.wasClosed && this.#mayRepeat
    const cooldown = laneCall.end(call, isRepeated ? 'stopped' : failure.cause, error, failure.waitMs)
    const now = this.#deps.now()
    const { cause, said } = failure
    this.failed.push(attemptOf(candidate, call, laneCall.started, now, { error, cause, said, cooldown }))
    if (!failure.retry && !isUnfit) return false
    this.#queue = this.#queue.filter((other) => !isRefusedToo(other, candidate, failure))
    if (isRepeated) {
      this.#mayRepeat = false
      this.#queue.unshift(candidate)
    } else if (failure.cause === 'provider') this.#failing.push(candidate.route.channel.id)
    return true
  }
}

/** A refused caller's key is not sent again, nor is a request that the provider cannot process to the same model and address. */
export function isRefusedToo(
  other: Candidate,
  refused: Candidate,
  { cause, retry }: Pick<Failure, 'cause' | 'retry'>,
): boolean {
  const { caller, kind, channel } = other.route
  if (cause === 'account') return caller !== undefined && caller === refused.route.caller
  if (cause !== 'request' || !retry || other.upstreamModel !== refused.upstreamModel) return false
  return kind === refused.route.kind && channel.baseUrl === refused.route.channel.baseUrl
}

/**
 * Whether this failure is less useful to the client than the one before: another channel's refused account is less useful than a
 * request that is too long, and a missing model than a provider that is temporarily down.
 */
function saysLess({ cause, reply }: Failure, before: Failure | undefined): boolean {
  if (before?.reply.vendor === undefined) return cause === 'unknown_model' && before !== undefined
  if (before.cause === 'request') return cause !== 'request' && cause !== 'stopped' && reply.vendor !== undefined
  return cause === 'unknown_model' && before.cause !== 'unknown_model'
}

function hasRequestedPause(standing: Standing | undefined): boolean {
  return standing?.kind === 'resting' && standing.cause === 'limited' && standing.isGuess !== true
}

/** The budget only covers providers that do not work; cooldowns limit refusals sufficiently. */
export function mayRetry(
  { now, times, retryBudgets }: Omit<AttemptDeps, 'health'>,
  { accepted, parsed }: RetriedRequest,
  cause?: CallCause,
): boolean {
  const time = now()
  if (time - accepted.received > times.retryDeadlineMs) return false
  return cause !== 'provider' || retryBudgets.of(parsed.model).take(time)
}

function attemptOf(
  { route, group }: Candidate,
  call: UpstreamCall,
  started: number,
  now: number,
  {
    error,
    cause,
    said,
    cooldown,
  }: {
    readonly error: string
    readonly cause: CallCause
    readonly said: string | undefined
    readonly cooldown: Cooldown | undefined
  },
): Attempt {
  const { id, name } = route.channel
  const { completed, status } = call
  return {
    channel: id,
    channelName: name,
    started,
    // A call whose sign-in failed was never sent.
    ended: completed || now,
    status,
    error,
    cause,
    ...(said === undefined ? {} : { said }),
    ...keyOf(route),
    ...groupOf({ group }),
    ...transportOf(call),
    ...(cooldown === undefined ? {} : { rest: { cause: cooldown.cause, until: cooldown.until } }),
  }
}
