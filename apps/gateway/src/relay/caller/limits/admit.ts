import type { Refusal } from '@sluice/contract/errors'
import type { Limits } from '@sluice/coordination/limits'
import type { RateDecision } from '@sluice/coordination/rate'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { outputTokens, promptTokens } from '@sluice/providers/prices/chargeable'
import type { RequestLimits } from '@sluice/store/options/request-limits'
import type { Accepted } from '../../../edge/exchange.ts'
import type { RelayOptions } from '../../relay-options.ts'
import { type CallerClaim, claimsOf, type LimitedCaller } from './caller-claims.ts'
import type { OpenCalls } from './caller-limits.ts'
import type { FairQueue } from './fair-queue.ts'
import { limitHeaders } from './limit-headers.ts'
import { rateLimited } from './limit.ts'

export interface AdmitDeps {
  readonly limits: Limits
  readonly openCalls: OpenCalls
  readonly queue: FairQueue
  /** Requests per token in three minutes; 0 is unlimited. */
  readonly relayRateLimit: number
  readonly options: () => Pick<RelayOptions, 'GroupLimits'>
  readonly now: () => number
}

export interface Admitted {
  /** Reports the actual usage, at once or in parts. If it is never called, the estimate is released when the request ends. */
  readonly used: (tokens: TokenCounts | undefined) => void
}

export type Admit = (
  accepted: Admissible,
  caller: LimitedCaller,
  tokens: number | undefined,
) => Admitted | Refusal | Promise<Admitted | Refusal>

/** A use of a caller's limits that does not take a slot. */
export interface CallerCounts {
  request(caller: LimitedCaller, tokens: number | undefined): Promise<Refusal | undefined>
  tokensUsed(caller: LimitedCaller, tokens: TokenCounts): void
}

type Admissible = Pick<Accepted, 'path' | 'signal' | 'replyHeaders' | 'atEnd'>

/**
 * Admits a request within its caller's concurrency and per-minute limits, and in turn if the process is full. `tokens` is the
 * estimate for its prompt; undefined for calls that use no tokens. The size of the answer is not estimated, because most clients
 * request far more than they get: it is counted once it is known, and delays the next request. Everything taken here is released
 * when the request ends.
 */
export function admit(
  deps: AdmitDeps,
  accepted: Admissible,
  caller: LimitedCaller,
  tokens: number | undefined,
): Admitted | Refusal | Promise<Admitted | Refusal> {
  const ofUser = deps.options().GroupLimits.get(caller.group)
  const isLimited = caller.limits.concurrency > 0 || (ofUser?.concurrency ?? 0) > 0
  return isLimited
    ? admitOpen(deps, accepted, caller, tokens, ofUser)
    : admitWithin(deps, accepted, caller, tokens, ofUser)
}

async function admitOpen(
  deps: AdmitDeps,
  accepted: Admissible,
  caller: LimitedCaller,
  tokens: number | undefined,
  ofUser: RequestLimits | undefined,
): Promise<Admitted | Refusal> {
  const tooMany = await takeOpen(deps, accepted, caller, ofUser)
  return tooMany ?? (await admitWithin(deps, accepted, caller, tokens, ofUser))
}

function admitWithin(
  deps: AdmitDeps,
  accepted: Admissible,
  caller: LimitedCaller,
  tokens: number | undefined,
  ofUser: RequestLimits | undefined,
): Admitted | Refusal | Promise<Admitted | Refusal> {
  const claims = claimsOf(caller, { relayRateLimit: deps.relayRateLimit, ofUser }, tokens)
  if (claims.length > 0) return admitClaims(deps, accepted, caller, claims)
  const slot = deps.queue.enter(caller.userId, accepted.signal)
  return slot === undefined ? holdSlot(deps, accepted) : enterLater(deps, accepted, slot)
}

/** Counts a use without taking a slot: a look-up with a key, or another response of a session. */
export async function countRequest(
  deps: Omit<AdmitDeps, 'queue' | 'openCalls'>,
  caller: LimitedCaller,
  tokens: number | undefined,
): Promise<Refusal | undefined> {
  const ofUser = deps.options().GroupLimits.get(caller.group)
  const claims = claimsOf(caller, { relayRateLimit: deps.relayRateLimit, ofUser }, tokens)
  return claims.length === 0 ? undefined : refusalOf(claims, await deps.limits.take(claims))
}

export function countTokensUsed(
  deps: Pick<AdmitDeps, 'limits' | 'options'>,
  caller: LimitedCaller,
  tokens: TokenCounts,
): void {
  const ofUser = deps.options().GroupLimits.get(caller.group)
  correct(deps, claimsOf(caller, { relayRateLimit: 0, ofUser }, 0), totalOf(tokens))
}

const PLAIN: Admitted = { used: () => {} }

function holdSlot({ queue }: Pick<AdmitDeps, 'queue'>, accepted: Admissible): Admitted {
  accepted.atEnd(queue.leave)
  return PLAIN
}

async function enterLater(
  deps: AdmitDeps,
  accepted: Admissible,
  slot: Refusal | Promise<Refusal | undefined>,
): Promise<Admitted | Refusal> {
  return (await slot) ?? holdSlot(deps, accepted)
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
  const noSlot = await deps.queue.enter(caller.userId, accepted.signal)
  if (noSlot !== undefined) {
    // Nothing was done for the request, so nothing is counted.
    for (const claim of claims) deps.limits.correct({ ...claim, cost: -claim.cost })
    return noSlot
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

/** How long a caller at its concurrency limit is told to wait: one of its own requests must end first, at an unknown time. */
const OPEN_RETRY_MS = 1_000

async function takeOpen(
  deps: AdmitDeps,
  accepted: Admissible,
  { tokenId, userId, limits }: LimitedCaller,
  ofUser: RequestLimits | undefined,
): Promise<Refusal | undefined> {
  return (
    (await takeOpenOf(deps, accepted, `token:${tokenId}`, 'this token', limits.concurrency)) ??
    (await takeOpenOf(deps, accepted, `user:${userId}`, 'this account', ofUser?.concurrency ?? 0))
  )
}

async function takeOpenOf(
  { openCalls }: AdmitDeps,
  accepted: Admissible,
  key: string,
  words: string,
  limit: number,
): Promise<Refusal | undefined> {
  if (limit === 0) return undefined
  if (!(await openCalls.take(key, limit))) {
    return rateLimited(`${limit} concurrent requests for ${words}`, OPEN_RETRY_MS)
  }
  accepted.atEnd(() => openCalls.giveBack(key))
  return undefined
}
