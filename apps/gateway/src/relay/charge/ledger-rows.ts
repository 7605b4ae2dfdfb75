import { lossesText } from '@sluice/dialects/canon/losses'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Settlement, TraceRow } from '@sluice/ledger/operation'
import { charge, type Price } from '@sluice/ledger/pricing'
import type { Mq } from '@sluice/ledger/units'
import { pricedUsage } from '@sluice/providers/prices/quote'
import type { Connection, ExchangeHead } from '../../edge/exchange.ts'
import { clientFamily } from '../caller/client-family.ts'
import type { Answered } from '../stages/answered.ts'
import { groupOf, transportOf, type Attempt } from '../stages/attempt.ts'
import type { Progress } from '../stages/authorised.ts'
import type { CallerCredential } from '../stages/caller-credential.ts'
import type { Delivered } from '../stages/delivered.ts'
import type { Candidate, Reserved } from '../stages/planned.ts'
import { keyOf, type Route } from '../stages/route.ts'
import { inPricedUnits } from './priced-units.ts'
import { estimateTokens } from './tokenizer/count.ts'

export interface Charge {
  /** The usage in units of the price. */
  readonly tokens: TokenCounts
  /** The cost that the provider reports, in 10^-9 USD. */
  readonly reportedNanoUsd?: number | undefined
  /** True when the tokens were counted here. */
  readonly estimated: boolean
  /** `complete`, or the billing rule for a broken answer. */
  readonly ended: string
  /** Unix milliseconds. */
  readonly now: number
  readonly trace: TraceRow
}

type Traced = Pick<Reserved, 'identity' | 'body' | 'hold'> &
  Partial<Pick<Reserved, 'decision'>> & { readonly accepted: ExchangeHead }

export type Charged = Reserved & Pick<Answered, 'candidate'> & Partial<Pick<Answered, 'losses'>>

type Chargeable = Traced &
  Pick<Charged, 'unlogged' | 'session' | 'losses'> & {
    readonly parsed: Pick<Charged['parsed'], 'model' | 'stream'>
    readonly candidate: Pick<Candidate, 'upstreamModel' | 'quote' | 'group' | 'groupRatio'> & {
      readonly route: Pick<Route, 'channel' | 'caller'>
    }
  }

/** Status in the trace if the client left first. */
export const CLIENT_GONE = 499

/** The charge with its log and trace rows: everything that the ledger commits together for one request. */
export function settlementOf(
  charged: Chargeable,
  { tokens, reportedNanoUsd, estimated, ended, now, trace }: Charge,
): Settlement {
  const { accepted, identity, parsed, candidate, unlogged, session, losses = [] } = charged
  const { group, groupRatio } = candidate
  const { channel, caller } = candidate.route
  const { counts, rates, source } = pricedUsage(candidate.quote, tokens, reportedNanoUsd)
  const price = { rates, groupRatio, source: namingChannel(source, channel.id) }
  return {
    requestId: accepted.id,
    account: identity.account,
    limitAccount: identity.limitAccount,
    amount: charge(counts, price),
    price,
    tokens: counts,
    userId: identity.userId,
    tokenId: identity.tokenId,
    channelId: channel.id,
    model: candidate.upstreamModel,
    log: {
      createdAt: Math.floor(now / 1_000),
      username: identity.username,
      tokenName: identity.tokenName,
      channelName: channel.name,
      originModel: parsed.model,
      elapsedMs: Math.max(1, now - accepted.received),
      isStream: parsed.stream,
      estimated,
      ended,
      content: describe(describePrice(price, group, caller), losses, accepted.connection),
      unlogged,
      session,
      client: clientFamily(accepted.headers['user-agent']),
    },
    trace,
  }
}

/** What recovery charges if this process dies now: the prompt and the text delivered so far, by their sizes. */
export function progressOf(answered: Answered, textBytes: number, held: Mq, now: number): Settlement {
  const tokens = countsBySize(answered, textBytes)
  const trace = answeredTrace({ ...answered, held, usage: undefined }, 200, now)
  return settlementOf(answered, { tokens, estimated: true, ended: 'gateway_died', now, trace })
}

/** The amount shown in the list of running calls once this much text has arrived: what recovery would charge. */
export function progressSoFar(answered: Pick<Answered, 'parsed' | 'candidate'>, textBytes: number): Progress {
  const { quote, groupRatio } = answered.candidate
  const { counts, rates, source } = pricedUsage(quote, countsBySize(answered, textBytes), undefined)
  return { tokens: estimateTokens(textBytes), amount: charge(counts, { rates, groupRatio, source }) }
}

function countsBySize({ parsed, candidate }: Pick<Answered, 'parsed' | 'candidate'>, textBytes: number): TokenCounts {
  const own = parsed.ownCounts({ prompt: estimateTokens(parsed.promptBytes), output: estimateTokens(textBytes) })
  return inPricedUnits(own, candidate.quote.rates)
}

function namingChannel(source: string, id: number): string {
  return source.startsWith('channel') ? source.replace('channel', `channel:${id}`) : source
}

function describe(price: string, losses: NonNullable<Charged['losses']>, connection: Connection | undefined): string {
  const parts = [price]
  if (losses.length > 0) parts.push(lossesText(losses))
  if (connection !== undefined) parts.push(`websocket ${connection.id}`)
  return parts.join('; ')
}

/** The line on the receipt: ratios as administrators set them, where 1 means one quota point per token. */
function describePrice(
  { rates, groupRatio }: Price,
  group: string | undefined,
  caller: Pick<CallerCredential, 'fingerprint'> | undefined,
): string {
  const model = `model ratio ${Number(rates.input) / 1e9}`
  const output = rates.input === 0n ? '' : `, completion ratio ${round(Number(rates.output) / Number(rates.input))}`
  const named = group === undefined ? '' : `, group ${group}`
  const own = caller === undefined ? '' : `, with the caller’s own key ${caller.fingerprint}`
  return `${model}${output}${named}, group ratio ${Number(groupRatio) / 1e6}${own}`
}

const round = (value: number) => Math.round(value * 1_000) / 1_000

/** Timeline of a request that got an answer. `status` is the one sent to the client; 499 if it left. */
export function answeredTrace(
  answered: Answered & Accounted & Partial<Pick<Delivered, 'outcome' | 'cooldown'>>,
  status: number,
  now: number,
): TraceRow {
  const { call, candidate, laneCall, client, plain, outcome, cooldown } = answered
  const broken = outcome?.ending === 'upstream_broken' ? outcome : undefined
  const attempts: Attempt[] = [
    ...answered.attempts,
    {
      channel: candidate.route.channel.id,
      channelName: candidate.route.channel.name,
      started: laneCall.started,
      ended: call.completed || now,
      status: call.status,
      error: broken?.ending ?? '',
      ...keyOf(candidate.route),
      ...groupOf(candidate),
      ...transportOf(call),
      ...(broken === undefined ? {} : { cause: broken.cause }),
      ...(cooldown === undefined ? {} : { rest: { cause: cooldown.cause, until: cooldown.until } }),
    },
  ]
  // A plain body counts as delivered when it is complete: from then on, only this row holds it back.
  const firstClient = plain === undefined ? (client?.firstByte ?? 0) : call.completed
  return traceOf(answered, attempts, {
    status,
    forwarded: answered.forwarded,
    firstUpstream: call.firstUpstream,
    firstClient,
    // A short stream may have ended before its first event could be forwarded.
    upstreamCompleted: Math.max(call.completed, firstClient),
    completed: now,
  })
}

export function failedTrace(
  reserved: Traced & Partial<Accounted>,
  attempts: readonly Attempt[],
  times: Pick<TraceRow, 'status' | 'forwarded' | 'completed'>,
): TraceRow {
  return traceOf(reserved, attempts, { ...times, firstUpstream: 0, firstClient: 0, upstreamCompleted: 0 })
}

type TraceTimes = Pick<
  TraceRow,
  'status' | 'forwarded' | 'firstUpstream' | 'firstClient' | 'upstreamCompleted' | 'completed'
>

type Accounted = Pick<Delivered, 'held' | 'usage'>

/** Longer usage objects are truncated, because they are only displayed. */
const USAGE_TEXT_LIMIT = 2_048

function traceOf(
  { accepted, identity, body, hold, held = hold.amount, usage, decision }: Traced & Partial<Accounted>,
  attempts: readonly Attempt[],
  times: TraceTimes,
): TraceRow {
  return {
    requestId: accepted.id,
    userId: identity.userId,
    // The URL without its query, because a client may have put a secret there by mistake.
    url: accepted.path,
    method: accepted.method,
    bodySize: body.length,
    received: accepted.received,
    ...times,
    attempts: JSON.stringify(attempts.map((attempt) => attemptRow(attempt, accepted.received))),
    held,
    upstreamUsage: usage === undefined ? '' : JSON.stringify(usage.own).slice(0, USAGE_TEXT_LIMIT),
    routing: decision === undefined ? '' : JSON.stringify(decision),
  }
}

/** In the form of the contract's `traceAttempt`: times in milliseconds after the request was received. */
function attemptRow({ channelName, started, ended, ...attempt }: Attempt, received: number) {
  return { ...attempt, channel_name: channelName, started: started - received, ended: ended - received }
}
