import { ERRORS, type Refusal } from '@sluice/contract/errors'
import type { WireError } from '@sluice/dialects/canon/upstream-error'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Ledger, SettleAnswer } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import { cutSlowReader } from '../../edge/slow-reader.ts'
import { plainCounts } from '../calls/parsed-call.ts'
import type { StreamTimes } from '../client/client-stream.ts'
import { costComment, costHeader, costText, wantsCost } from '../client/cost-note.ts'
import { lossHeader } from '../client/loss-header.ts'
import { refuse, statusOf, wireOfRefusal } from '../client/refuse.ts'
import type { BrokenAnswerPolicies, RelayOptions } from '../relay-options.ts'
import type { Unanswered, StreamedReply } from '../stages/answered.ts'
import type { Delivered, Settled, AnswerOutcome, AnswerExtent } from '../stages/delivered.ts'
import { type BillingRule, billingRuleFor, billingRuleForFailure, UNDELIVERED } from './billing-rule.ts'
import { CHARGE_WAIT_MS, type ChargeDeps, chargeInTime, giveBackInTime } from './charge-in-time.ts'
import { answeredTrace, type Charge, type Charged, CLIENT_GONE, failedTrace, settlementOf } from './ledger-rows.ts'
import { completeCounts, isNothing, type OwnCountsDeps } from './own-counts.ts'
import { inPricedUnits, withPieces } from './priced-units.ts'
import { TOKENS_PER_SECOND } from './watch-plain.ts'

export interface SettleDeps extends ChargeDeps, OwnCountsDeps {
  readonly ledger: Pick<Ledger, 'settle' | 'withdraw' | 'void'>
  readonly times: Pick<StreamTimes, 'clientStallMs'>
  readonly options: () => Pick<RelayOptions, 'ApproximateTokenEnabled' | 'QuotaPerUnit'> & BrokenAnswerPolicies
  readonly now: () => number
}

/**
 * Charges a delivered answer and sends its end once the charge is durable: no answer is complete without a durable charge. While
 * the database is slow, comments keep the stream alive. If the database is unavailable for `CHARGE_WAIT_MS`, or until the process
 * stops, the answer ends with an error instead: a stream is charged for what was delivered as soon as that can be written; the
 * charge of a plain answer, of which nothing was delivered, is withdrawn.
 */
export async function settle(deps: SettleDeps, delivered: Delivered): Promise<Settled> {
  const { outcome, client, accepted } = delivered
  const billingRule = billingRuleFor(delivered, deps.options())
  if (billingRule.charges === 'void') {
    return await release(deps, { ...delivered, failure: undefined, isHeld: true, atWork: undefined })
  }
  const hasLeft = outcome.ending === 'client_gone' || billingRule.charges === 'prompt'
  const settlement = await settlementBy(deps, delivered, billingRule, hasLeft ? CLIENT_GONE : 200)
  const answer = await settleUnlessLeft(deps, delivered, settlement)
  const commitMs = deps.now() - settlement.trace.completed
  // The client has left, so another billing rule applies.
  if (answer === 'withdrawn' && accepted.reply.destroyed) return await settle(deps, delivered)
  if (answer === 'charged') {
    const cost = wantsCost(accepted.headers) ? costText(settlement.amount, deps.options().QuotaPerUnit) : undefined
    finish(delivered, cost, deps.times.clientStallMs)
    return { settlement, commitMs }
  }
  if (answer === 'in_doubt') return await settleInDoubt(deps, delivered)
  const refusal: Refusal = { code: answer === 'out_of_range' ? 'internal' : 'ledger_unavailable' }
  refuse(accepted, { refusal }, client)
  if (answer !== 'unavailable') {
    await giveBackInTime(deps, accepted.id, { ...settlement.trace, status: ERRORS[refusal.code].status })
  }
  return { settlement: undefined, commitMs }
}

/**
 * Settles a plain answer whose charge was withdrawn although it may have been committed: the client gets nothing. It is settled
 * again by the rule for a client that has left, or at zero. If it was charged after all, this corrects the charge; voiding the
 * request would leave it in place.
 */
async function settleInDoubt(deps: SettleDeps, delivered: Delivered): Promise<Settled> {
  const { accepted } = delivered
  const hasLeft = accepted.reply.destroyed
  if (!hasLeft) refuse(accepted, { refusal: UNAVAILABLE })
  const billingRule = hasLeft ? billingRuleFor(delivered, deps.options()) : UNDELIVERED
  const status = hasLeft ? CLIENT_GONE : ERRORS.ledger_unavailable.status
  const second = await settlementBy(deps, delivered, billingRule.charges === 'void' ? UNDELIVERED : billingRule, status)
  const answer = await chargeInTime(deps, second)
  return { settlement: answer === 'charged' ? second : undefined, commitMs: 0 }
}

const UNAVAILABLE: Refusal = { code: 'ledger_unavailable' }

async function settlementBy(
  deps: SettleDeps,
  delivered: Delivered,
  billingRule: BillingRule,
  status: number,
): Promise<Settlement> {
  const counted = await countUsage(deps, delivered, billingRule)
  const now = deps.now()
  const trace = answeredTrace(delivered, status, now)
  return settlementOf(delivered, { ...counted, ended: billingRule.ended, now, trace })
}

/**
 * No byte of a plain answer leaves before its charge is durable, so a client that leaves during that wait, or is refused after it,
 * has received nothing. If a commit in progress still succeeds, the answer is charged and sent.
 */
async function settleUnlessLeft(
  deps: SettleDeps,
  { accepted: { id, reply }, plain }: Delivered,
  settlement: Settlement,
): Promise<SettleAnswer> {
  if (plain === undefined || reply.destroyed) return await chargeInTime(deps, settlement)
  const { ledger, after } = deps
  const withdraw = () => ledger.withdraw(id)
  reply.once('close', withdraw)
  const stop = after(CHARGE_WAIT_MS, withdraw)
  try {
    return await ledger.settle(settlement)
  } finally {
    stop()
    reply.off('close', withdraw)
  }
}

/** Releases the hold of a request without an answer, unless a setting charges such requests. Keeps the trace for look-ups. */
export async function release(deps: SettleDeps, unanswered: Unanswered): Promise<Settled> {
  const { accepted, attempts, forwarded, failure, isHeld, atWork } = unanswered
  if (!isHeld) return NOTHING
  const billingRule = billingRuleForFailure(unanswered, deps.options())
  const owed = atWork === undefined || billingRule.charges === 'void' ? undefined : { ...unanswered, candidate: atWork }
  const counted = owed && (await countUsage(deps, { ...owed, text: undefined }, billingRule))
  const now = deps.now()
  const status = failure === undefined ? CLIENT_GONE : statusOf(failure)
  const trace = failedTrace(unanswered, attempts, { status, forwarded, completed: now })
  if (owed !== undefined && counted !== undefined) {
    const settlement = settlementOf(owed, { ...counted, ended: billingRule.ended, now, trace })
    const answer = await chargeInTime(deps, settlement)
    if (answer !== 'out_of_range') return { settlement: answer === 'charged' ? settlement : undefined, commitMs: 0 }
  }
  await giveBackInTime(deps, accepted.id, trace)
  return NOTHING
}

const NOTHING: Settled = { settlement: undefined, commitMs: 0 }

type Counted = Pick<Charge, 'tokens' | 'estimated' | 'reportedNanoUsd'>

/** The usage that a billing rule charges, in units of the price. The provider's report takes precedence over our own count. */
async function countUsage(deps: SettleDeps, served: Served, { charges }: BillingRule): Promise<Counted> {
  const { usage, parsed, candidate } = served
  const reported = usage?.counts
  if (charges === 'nothing') return { tokens: plainCounts(0, 0), estimated: false }
  if (charges === 'counted' && isNothing(served)) return { tokens: plainCounts(0, 0), estimated: true }
  const extent = extentOf(served.outcome)
  const all = extent === 'unclear' ? await cutCounts(deps, served) : await allCounts(deps, served)
  // Part of a text is worth something; pictures and the like are charged only when they are whole.
  const isWhole = reported !== undefined || parsed.hasText || extent !== 'part'
  const { rates } = candidate.quote
  // Our own count of characters is exact.
  const isExact = all.units?.character !== undefined && rates.units?.character !== undefined
  return {
    tokens: inPricedUnits(charges === 'prompt' || !isWhole ? promptOf(all) : all, rates),
    reportedNanoUsd: charges === 'prompt' ? undefined : usage?.reportedNanoUsd,
    estimated: all !== reported && !isExact,
  }
}

/**
 * An answer that the gateway abandoned may contain more than it showed: it is charged at the rate of a fast model, up to the
 * requested limit. If it is not text, the whole hold is charged.
 */
async function cutCounts(deps: SettleDeps, served: Served): Promise<TokenCounts> {
  const { parsed, candidate, laneCall } = served
  const { counts, open } = parsed.bound(candidate.quote, 0)
  if (!parsed.hasText) return counts
  const reported = await allCounts(deps, served)
  const seconds = (laneCall?.elapsed() ?? 0) / 1_000
  const most = open ? (candidate.quote.maxOutput ?? Infinity) : counts.output
  return { ...reported, output: Math.max(reported.output, Math.min(most, Math.ceil(seconds * TOKENS_PER_SECOND))) }
}

/** The total usage: the provider's count, our count, or the pieces if only those have a price. */
async function allCounts(deps: SettleDeps, served: Served): Promise<TokenCounts> {
  if (served.counted !== undefined) return served.counted
  const { usage, parsed, candidate } = served
  if (usage?.counts !== undefined && !parsed.hasText) return withPieces(usage.counts, candidate.quote.rates, parsed)
  return await completeCounts(deps, served)
}

type Served = Charged & Pick<Delivered, 'usage' | 'text'> & Partial<Pick<Delivered, 'counted' | 'outcome' | 'laneCall'>>

function extentOf(outcome: AnswerOutcome | undefined): AnswerExtent {
  if (outcome === undefined) return 'part'
  if (outcome.ending === 'complete') return 'whole'
  return 'extent' in outcome ? outcome.extent : 'part'
}

function promptOf({ units, ...counts }: TokenCounts): TokenCounts {
  const {
    audio_output: _audio,
    image_output: _image,
    reasoning_output: _reasoning,
    image: _pictures,
    ...read
  } = units ?? {}
  return { ...counts, output: 0, reasoning: 0, units: read }
}

function finish(
  { accepted, parsed, reader, client, plain, last, counted, outcome, losses }: Delivered,
  cost: string | undefined,
  stallMs: number,
): void {
  const { reply, replyHeaders, id } = accepted
  if (reply.destroyed) return
  if (client === undefined) {
    const type = plain?.answer.contentType ?? JSON_TYPE
    const head = ['Content-Type', type, 'Content-Length', String(last.length)]
    reply.writeHead(200, [...replyHeaders, ...lossHeader(losses), ...costHeader(cost), ...head]).end(last)
  } else {
    const comment = costComment(cost, parsed.format.streamType)
    if (comment !== undefined) client.write([comment])
    if ('error' in outcome) failStream(client, outcome.error, id)
    else client.end(plain === undefined ? last : reader.asEvents(plain.body, counted))
  }
  cutSlowReader(reply, stallMs)
}

function failStream(client: StreamedReply, error: WireError | Refusal, id: string): void {
  if ('message' in error) client.fail(error, BAD_GATEWAY, id)
  else client.fail(wireOfRefusal(error), ERRORS[error.code].status, id)
}

const BAD_GATEWAY = 502
const JSON_TYPE = 'application/json; charset=utf-8'
