import type { Refusal } from '@sluice/contract/errors'
import type { Limits } from '@sluice/coordination/limits'
import type { RateDecision } from '@sluice/coordination/rate'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { outputTokens, promptTokens } from '@sluice/providers/prices/chargeable'
import type { RequestLimits } from '@sluice/store/request-limits'
import type { Accepted } from '../../edge/exchange.ts'
import { rateLimited } from '../limit.ts'
import type { RelayOptions } from '../relay-options.ts'
import { type CallerClaim, claimsOf, type LimitedCaller } from './caller-claims.ts'
import type { FairQueue } from './fair-queue.ts'
import { limitHeaders } from './limit-headers.ts'
import type { OpenCalls } from './open-calls.ts'

export interface AdmitDeps {
  readonly limits: Limits
  /** The part of each limit that is this process's own: 1 alone, 1/3 among three. */
  readonly shareOf: () => number
  readonly openCalls: OpenCalls
  readonly queue: FairQueue
  /** Requests per token in three minutes; 0 is unlimited. */
  readonly relayRateLimit: number
  readonly options: () => Pick<RelayOptions, 'GroupLimits'>
  readonly now: () => number
}

/** A request that is within its caller's limits. */
export interface Admitted {
  /**
   * What the request has used in truth, when it is known; a part of it, where it becomes known in parts. Without it what was
   * estimated is given back when the request ends.
   */
  readonly used: (tokens: TokenCounts | undefined) => void
}

/** What `admit` needs of a request. */
type Admissible = Pick<Accepted, 'path' | 'signal' | 'replyHeaders' | 'atEnd'>

/**
 * Lets a request of a known caller in: not more at once than it may, not more in a minute, and in turn when the process is full.
 * `tokens` is what its prompt is estimated at; undefined for calls that use no tokens. What an answer will take is not guessed:
 * most clients ask for far more than they get, so it is counted when it is known, and the next request waits for it. Everything
 * that is taken here is given back when the request ends.
 */
export function admit(
  deps: AdmitDeps,
  accepted: Admissible,
  caller: LimitedCaller,
  tokens: number | undefined,
): Admitted | Refusal | Promise<Admitted | Refusal> {
  const ofUser = deps.options().GroupLimits.get(caller.group)
  const tooMany = takeOpen(deps, accepted, caller, ofUser)
  if (tooMany !== undefined) return tooMany
  const claims = claimsOf(caller, { relayRateLimit: deps.relayRateLimit, ofUser }, tokens)
  if (claims.length > 0) return admitClaims(deps, accepted, caller, claims)
  const place = deps.queue.enter(caller.userId, accepted.signal)
  return place === undefined ? holdPlace(deps, accepted) : enterLater(deps, accepted, place)
}

/** The same for what only counts: a look at a key, or a further response of a session. No place is taken. */
export async function countRequest(
  deps: Omit<AdmitDeps, 'queue' | 'openCalls' | 'shareOf'>,
  caller: LimitedCaller,
  tokens: number | undefined,
): Promise<Refusal | undefined> {
  const ofUser = deps.options().GroupLimits.get(caller.group)
  const claims = claimsOf(caller, { relayRateLimit: deps.relayRateLimit, ofUser }, tokens)
  return claims.length === 0 ? undefined : refusalOf(claims, await deps.limits.take(claims))
}

/** Counts tokens that were used beyond what was known before. */
export function countTokensUsed(
  deps: Pick<AdmitDeps, 'limits' | 'options'>,
  caller: LimitedCaller,
  tokens: TokenCounts,
): void {
  const ofUser = deps.options().GroupLimits.get(caller.group)
  correct(deps, claimsOf(caller, { relayRateLimit: 0, ofUser }, 0), totalOf(tokens))
}

const PLAIN: Admitted = { used: () => {} }

function holdPlace({ queue }: Pick<AdmitDeps, 'queue'>, accepted: Admissible): Admitted {
  accepted.atEnd(queue.leave)
  return PLAIN
}

async function enterLater(
  deps: AdmitDeps,
  accepted: Admissible,
  place: Refusal | Promise<Refusal | undefined>,
): Promise<Admitted | Refusal> {
  return (await place) ?? holdPlace(deps, accepted)
}

async function admitClaims(
  deps: AdmitDeps,
  accepted: Admissible,
  caller: LimitedCaller,
  claims: readonly CallerClaim[],
): Promise<Admitted | Refusal> {
  const taken = deps.limits.take(claims)
  const decisions = taken instanceof Promise ? await taken : taken
  const speaksAnthropic = accepted.path.startsWith('/v1/messages')
  accepted.replyHeaders.push(...limitHeaders(claims, decisions, speaksAnthropic, deps.now()))
  const refusal = refusalOf(claims, decisions)
  if (refusal !== undefined) return refusal
  const noPlace = await deps.queue.enter(caller.userId, accepted.signal)
  if (noPlace !== undefined) {
    // Nothing was done for it, so nothing counts.
    for (const claim of claims) deps.limits.correct({ ...claim, cost: -claim.cost })
    return noPlace
  }
  accepted.atEnd(deps.queue.leave)
  const estimate = claims.find(({ of }) => of === 'tokens')?.cost
  if (estimate === undefined) return PLAIN
  let used = 0
  accepted.atEnd(() => correct(deps, claims, used - estimate))
  return { used: (tokens) => void (used += tokens === undefined ? 0 : totalOf(tokens)) }
}

function refusalOf(claims: readonly CallerClaim[], decisions: readonly RateDecision[]): Refusal | undefined {
  let longest: Refusal | undefined
  let waitMs = 0
  for (const [index, claim] of claims.entries()) {
    const decision = decisions[index]
    if (decision === undefined || decision.allowed || decision.retryAfterMs <= waitMs) continue
    waitMs = decision.retryAfterMs
    longest = rateLimited(claim.words, waitMs)
  }
  return longest
}

function correct({ limits }: Pick<AdmitDeps, 'limits'>, claims: readonly CallerClaim[], tokens: number): void {
  if (tokens === 0) return
  for (const { of, key, rule } of claims) if (of === 'tokens') limits.correct({ key, rule, cost: tokens })
}

const totalOf = (tokens: TokenCounts): number => promptTokens(tokens) + outputTokens(tokens)

/** How long a full caller is told to wait: some request of its own must end first, and nobody knows when. */
const OPEN_RETRY_MS = 1_000

function takeOpen(
  deps: AdmitDeps,
  accepted: Admissible,
  { tokenId, userId, limits }: LimitedCaller,
  ofUser: RequestLimits | undefined,
): Refusal | undefined {
  return (
    takeOpenOf(deps, accepted, `token:${tokenId}`, 'this token', limits.concurrency) ??
    takeOpenOf(deps, accepted, `user:${userId}`, 'this account', ofUser?.concurrency ?? 0)
  )
}

/** Requests under way are counted by each process for itself: its part of the limit, and at least one. */
function takeOpenOf(
  { openCalls, shareOf }: AdmitDeps,
  accepted: Admissible,
  key: string,
  words: string,
  limit: number,
): Refusal | undefined {
  if (limit === 0) return undefined
  if (!openCalls.take(key, Math.max(1, Math.ceil(limit * shareOf())))) {
    return rateLimited(`${limit} requests at the same time for ${words}`, OPEN_RETRY_MS)
  }
  accepted.atEnd(() => openCalls.giveBack(key))
  return undefined
}
