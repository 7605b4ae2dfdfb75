import { ERRORS, type Refusal } from '@sluice/contract/errors'
import type { DeliveredText } from '@sluice/dialects/openai-chat/delta-text'
import type { WireError } from '@sluice/dialects/openai-chat/errors'
import { outputCounted, type TokenCounts } from '@sluice/dialects/token-counts'
import type { Ledger, SettleAnswer } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import { cutSlowReader } from '../edge/slow-reader.ts'
import { type Ruling, rulingOn, rulingOnFailure, UNDELIVERED } from './broken-answer.ts'
import { plainCounts } from './calls/asked.ts'
import { CHARGE_WAIT_MS, type ChargeDeps, chargeInTime, giveBackInTime } from './charge-in-time.ts'
import type { ClientStream, StreamTimes } from './client-stream.ts'
import type { Delivered } from './deliver.ts'
import type { Unanswered } from './dispatch.ts'
import { answeredTrace, type Charge, type Charged, CLIENT_GONE, failedTrace, settlementOf } from './ledger-rows.ts'
import { lossHeader } from './loss-header.ts'
import { inPricedUnits, withPieces } from './priced-units.ts'
import { refuse, statusOf, wireOfRefusal } from './refuse.ts'
import type { BrokenAnswerPolicies, RelayOptions } from './relay-options.ts'
import { estimateTokens } from './tokenizer/count.ts'
import type { Tokenizer } from './tokenizer/tokenizer.ts'
import { TOKENS_PER_SECOND } from './watch-plain.ts'

/** The books are closed and the client has all it gets: step 9 of ten. */
export interface Settled {
  /** Undefined when nothing was charged. */
  readonly settlement: Settlement | undefined
  /** Milliseconds that the end of the answer waited for its commit. */
  readonly commitMs: number
}

export interface SettleDeps extends ChargeDeps {
  readonly ledger: Pick<Ledger, 'settle' | 'withdraw' | 'void'>
  readonly tokenizer: Tokenizer
  readonly times: Pick<StreamTimes, 'clientStallMs'>
  readonly options: () => Pick<RelayOptions, 'ApproximateTokenEnabled'> & BrokenAnswerPolicies
  readonly now: () => number
}

/** Larger bodies are estimated by their size: counting them would cost more than it tells. */
const COUNTED_BODY_LIMIT = 1_048_576

/**
 * Charges a delivered answer and, once the charge is durable, sends its end: a complete answer and a committed charge are the same
 * fact. While the database is slow, comments keep the stream alive. When it stays away for `CHARGE_WAIT_MS`, or until the process stops,
 * the answer ends with an error instead: a stream is charged what came of it as soon as that can be written, and of a plain answer, of
 * which nothing came, the charge is taken back.
 */
export async function settle(deps: SettleDeps, delivered: Delivered): Promise<Settled> {
  const { ending, client, accepted } = delivered
  const ruling = rulingOn(delivered, deps.options())
  if (ruling.charges === 'void') {
    return await release(deps, { ...delivered, failure: undefined, isHeld: true, atWork: undefined })
  }
  const hasLeft = ending === 'client_gone' || ruling.charges === 'prompt'
  const settlement = await settlementBy(deps, delivered, ruling, hasLeft ? CLIENT_GONE : 200)
  const answer = await settleUnlessLeft(deps, delivered, settlement)
  const commitMs = deps.now() - settlement.trace.completed
  // Its client has left, so the ruling is another one.
  if (answer === 'withdrawn' && accepted.reply.destroyed) return await settle(deps, delivered)
  if (answer === 'charged') {
    finish(delivered, deps.times.clientStallMs)
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
 * Of a plain answer whose charge was taken back after a commit that may have happened: the client gets nothing. It is settled anew by the
 * ruling on a client that has left, or for nothing; if it was charged, that corrects the charge, which a void would leave.
 */
async function settleInDoubt(deps: SettleDeps, delivered: Delivered): Promise<Settled> {
  const { accepted } = delivered
  const hasLeft = accepted.reply.destroyed
  if (!hasLeft) refuse(accepted, { refusal: UNAVAILABLE })
  const ruling = hasLeft ? rulingOn(delivered, deps.options()) : UNDELIVERED
  const status = hasLeft ? CLIENT_GONE : ERRORS.ledger_unavailable.status
  const anew = await settlementBy(deps, delivered, ruling.charges === 'void' ? UNDELIVERED : ruling, status)
  const answer = await chargeInTime(deps, anew)
  return { settlement: answer === 'charged' ? anew : undefined, commitMs: 0 }
}

const UNAVAILABLE: Refusal = { code: 'ledger_unavailable' }

async function settlementBy(
  deps: SettleDeps,
  delivered: Delivered,
  ruling: Ruling,
  status: number,
): Promise<Settlement> {
  const counted = await countUsage(deps, delivered, ruling)
  const now = deps.now()
  const trace = answeredTrace(delivered, status, now)
  return settlementOf(delivered, { ...counted, ended: ruling.ended, now, trace })
}

/**
 * Of a plain answer nothing leaves before its charge is durable: whoever leaves in that wait, or is sent away after it, has got
 * nothing. A database that does not commit makes it long. What a commit under way brings after all is charged, and sent.
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

/**
 * Closes the hold of a request without an answer: given back, unless a setting charges such requests. The trace is kept, so
 * the failure can be looked up.
 */
export async function release(deps: SettleDeps, unanswered: Unanswered): Promise<Settled> {
  const { accepted, attempts, forwarded, failure, isHeld, atWork } = unanswered
  if (!isHeld) return NOTHING
  const ruling = rulingOnFailure(unanswered, deps.options())
  const owed = atWork === undefined || ruling.charges === 'void' ? undefined : { ...unanswered, candidate: atWork }
  const counted = owed && (await countUsage(deps, { ...owed, text: undefined }, ruling))
  const now = deps.now()
  const status = failure === undefined ? CLIENT_GONE : statusOf(failure)
  const trace = failedTrace(unanswered, attempts, { status, forwarded, completed: now })
  if (owed !== undefined && counted !== undefined) {
    const settlement = settlementOf(owed, { ...counted, ended: ruling.ended, now, trace })
    const answer = await chargeInTime(deps, settlement)
    if (answer !== 'out_of_range') return { settlement: answer === 'charged' ? settlement : undefined, commitMs: 0 }
  }
  await giveBackInTime(deps, accepted.id, trace)
  return NOTHING
}

const NOTHING: Settled = { settlement: undefined, commitMs: 0 }

type Counted = Pick<Charge, 'tokens' | 'estimated' | 'reportedNanoUsd'>

/** What a ruling charges, in units that the price knows. What the provider reported goes before what is counted here. */
async function countUsage(deps: SettleDeps, served: Served, { charges }: Ruling): Promise<Counted> {
  const { usage, text, asked, candidate } = served
  const reported = usage?.counts
  if (charges === 'nothing') return { tokens: plainCounts(0, 0), estimated: false }
  // Nothing came, not even a count: there is nothing to charge for.
  const isNothing = asked.hasText && reported === undefined && text?.text === '' && text.beyondBytes === 0
  if (charges === 'counted' && isNothing) return { tokens: plainCounts(0, 0), estimated: true }
  const all = served.isCut === true ? await cutCounts(deps, served) : await completeCounts(deps, served)
  // Of text each part that came is worth something; pictures and the like are charged when they are whole.
  const isWhole = reported !== undefined || asked.hasText || served.isWhole === true || served.isCut === true
  const { rates } = candidate.quote
  // Characters are counted here as exactly as anywhere.
  const isExact = all.units?.character !== undefined && rates.units?.character !== undefined
  return {
    tokens: inPricedUnits(charges === 'prompt' || !isWhole ? promptOf(all) : all, rates),
    reportedNanoUsd: charges === 'prompt' ? undefined : usage?.reportedNanoUsd,
    estimated: all !== reported && !isExact,
  }
}

/**
 * An answer that was given up here while it may have held more than it told: as much as a quick model writes in the time, within
 * what was asked for. Of what is no text, what was held for it.
 */
async function cutCounts(deps: SettleDeps, served: Served): Promise<TokenCounts> {
  const { asked, candidate, laneCall } = served
  const { counts, open } = asked.bound(candidate.quote, 0)
  if (!asked.hasText) return counts
  const told = await completeCounts(deps, served)
  const seconds = (laneCall?.elapsed() ?? 0) / 1_000
  const most = open ? (candidate.quote.maxOutput ?? Infinity) : counts.output
  return { ...told, output: Math.max(told.output, Math.min(most, Math.ceil(seconds * TOKENS_PER_SECOND))) }
}

/** What the provider counted, with what it left out: everything, the text that came, or the pieces that alone have a price. */
async function completeCounts(deps: SettleDeps, served: Served): Promise<TokenCounts> {
  const { usage, text = NO_TEXT, asked, candidate } = served
  const reported = usage?.counts
  if (reported === undefined) return await countHere(deps, served, text)
  if (!asked.hasText) return withPieces(reported, candidate.quote.rates, asked)
  // A usage that comes before the answer says 0 of it; whoever leaves then has had the text all the same.
  const isUncounted = outputCounted(reported) === 0 && (text.text !== '' || text.beyondBytes > 0)
  return isUncounted ? { ...reported, output: (await countHere(deps, served, text)).output } : reported
}

type Served = Charged & Pick<Delivered, 'usage' | 'text'> & Partial<Pick<Delivered, 'isWhole' | 'isCut' | 'laneCall'>>

/** The same without what was made for the client. */
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

const NO_TEXT: DeliveredText = { text: '', beyondBytes: 0 }

async function countHere(
  { tokenizer, options }: SettleDeps,
  { body, asked, kind, candidate }: Charged,
  { text, beyondBytes }: DeliveredText,
): Promise<TokenCounts> {
  const { promptBytes } = asked
  if (options().ApproximateTokenEnabled) {
    const output = estimateTokens(Buffer.byteLength(text) + beyondBytes)
    return asked.ownCounts({ prompt: estimateTokens(promptBytes), output })
  }
  const isTooLarge = body.length > COUNTED_BODY_LIMIT || kind.body === 'form'
  const prompt = isTooLarge ? promptBytes : body
  const model = candidate.upstreamModel
  return asked.ownCounts(await tokenizer.count({ model, prompt, text, beyondBytes }))
}

/** Sends what was kept back: the proper end of the answer, or the error that stands for it. */
function finish({ accepted, reader, client, plain, last, error, losses }: Delivered, stallMs: number): void {
  const { reply, replyHeaders, id } = accepted
  if (reply.destroyed) return
  if (client === undefined) {
    const type = plain?.answer.contentType ?? JSON_TYPE
    const head = ['Content-Type', type, 'Content-Length', String(last.length)]
    reply.writeHead(200, [...replyHeaders, ...lossHeader(losses), ...head]).end(last)
  } else if (error !== undefined) failStream(client, error, id)
  else client.end(plain === undefined ? last : reader.asEvents(plain.body))
  cutSlowReader(reply, stallMs)
}

function failStream(client: ClientStream, error: WireError | Refusal, id: string): void {
  if ('message' in error) client.fail(error, BAD_GATEWAY, id)
  else client.fail(wireOfRefusal(error), ERRORS[error.code].status, id)
}

/** What a provider's error inside a stream comes to. */
const BAD_GATEWAY = 502
const JSON_TYPE = 'application/json; charset=utf-8'
