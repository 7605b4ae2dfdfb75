import type { Ledger } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import type { TokenCounts } from '@sluice/ledger/pricing'
import { cutSlowReader } from '../edge/slow-reader.ts'
import type { StreamTimes } from './client-stream.ts'
import type { Delivered } from './deliver.ts'
import type { Unanswered } from './dispatch.ts'
import { CLIENT_GONE, failedTrace, plainCounts, settlementOf } from './ledger-rows.ts'
import { refuse, statusOf, wireOfRefusal } from './refuse.ts'
import type { RelayOptions } from './relay-options.ts'
import { replyAsEvents } from './reply-as-events.ts'
import { estimateTokens } from './tokenizer/count.ts'
import type { Tokenizer } from './tokenizer/tokenizer.ts'

/** The books are closed and the client has all it gets: step 9 of ten. */
export interface Settled {
  /** Undefined when nothing was charged. */
  readonly settlement: Settlement | undefined
  /** Milliseconds that the end of the answer waited for its commit. */
  readonly commitMs: number
}

export interface SettleDeps {
  readonly ledger: Pick<Ledger, 'settle' | 'void'>
  readonly tokenizer: Tokenizer
  readonly times: Pick<StreamTimes, 'clientStallMs'>
  readonly options: () => Pick<RelayOptions, 'ApproximateTokenEnabled'>
  readonly now: () => number
}

/** Larger bodies are estimated by their size: counting them would cost more than it tells. */
const COUNTED_BODY_LIMIT = 1_048_576

/**
 * Charges a delivered answer and, once the charge is durable, sends its end. There is no limit to this wait: a complete
 * answer and a committed charge are the same fact. While the database is slow, comments keep the stream alive; when it stays
 * away until the process stops, the answer ends with an error instead.
 */
export async function settle(deps: SettleDeps, delivered: Delivered): Promise<Settled> {
  const { ending, client, plain, accepted } = delivered
  // A client that left before the first byte of its answer pays nothing.
  const hasNothing = plain !== undefined || client?.firstByte === 0
  if (hasNothing && accepted.reply.destroyed) {
    return await release(deps, { ...delivered, failure: undefined, isHeld: true })
  }
  const tokens = delivered.usage ?? (await countTokens(deps, delivered))
  const now = deps.now()
  const settlement = settlementOf(delivered, {
    tokens,
    estimated: delivered.usage === undefined,
    ended: ending,
    now,
    status: ending === 'client_gone' ? CLIENT_GONE : 200,
  })
  const answer = await deps.ledger.settle(settlement)
  const commitMs = deps.now() - now
  if (answer === 'charged') {
    finish(delivered, deps.times.clientStallMs)
    return { settlement, commitMs }
  }
  if (answer === 'out_of_range') await deps.ledger.void(accepted.id, settlement.trace)
  refuse(accepted, { refusal: { code: answer === 'out_of_range' ? 'internal' : 'ledger_unavailable' } }, client)
  return { settlement: undefined, commitMs }
}

/** Gives the hold of a request without an answer back. The trace is kept, so the failure can be looked up. */
export async function release({ ledger, now }: SettleDeps, unanswered: Unanswered): Promise<Settled> {
  const { accepted, attempts, forwarded, failure, isHeld } = unanswered
  if (isHeld) {
    const status = failure === undefined ? CLIENT_GONE : statusOf(failure)
    await ledger.void(accepted.id, failedTrace(unanswered, attempts, { status, forwarded, completed: now() }))
  }
  return { settlement: undefined, commitMs: 0 }
}

async function countTokens({ tokenizer, options }: SettleDeps, delivered: Delivered): Promise<TokenCounts> {
  const { body, chat, candidate, text } = delivered
  // Nothing came, not even a count: there is nothing to charge for.
  if (text === undefined || (text.text === '' && text.beyondBytes === 0)) return plainCounts(0, 0)
  if (options().ApproximateTokenEnabled) {
    const bytes = Buffer.byteLength(text.text) + text.beyondBytes
    return plainCounts(estimateTokens(chat.promptBytes), estimateTokens(bytes))
  }
  const { prompt, output } = await tokenizer.count({
    model: candidate.upstreamModel,
    prompt: body.length > COUNTED_BODY_LIMIT ? chat.promptBytes : body,
    text: text.text,
    beyondBytes: text.beyondBytes,
  })
  return plainCounts(prompt, output)
}

/** Sends what was kept back: the proper end of the answer, or the error that stands for it. */
function finish({ accepted, chat, client, plain, last, error }: Delivered, stallMs: number): void {
  const { reply, replyHeaders, id } = accepted
  if (reply.destroyed) return
  if (client === undefined) {
    const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(last.length)]
    reply.writeHead(200, [...replyHeaders, ...head]).end(last)
  } else if (error !== undefined) client.fail('message' in error ? error : wireOfRefusal(error), id)
  else client.end(plain === undefined ? last : replyAsEvents(plain.body, chat.usageAsked))
  cutSlowReader(reply, stallMs)
}
