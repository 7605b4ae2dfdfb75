import { createHash } from 'node:crypto'
import { PLAIN_SETTLED_LOG } from '@sluice/contract/fields/log'
import type { Settlement, TraceRow } from '@sluice/ledger/operation'
import { charge, type Price, type TokenCounts } from '@sluice/ledger/pricing'
import { mq } from '@sluice/ledger/units'
import type { TokenUse } from './cast.ts'
import type { Random } from './random.ts'
import { DAY_MS, hoursBetween, intensity, withinHour } from './rhythm.ts'

/** A token, with its and its owner's database ids. */
export interface Consumer {
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly account: number
  readonly limitAccount: number
  readonly use: TokenUse
}

/** A channel that offers a model; the preferred one comes first. */
export interface Seller {
  readonly channelId: number
  readonly channelName: string
  /** Undefined when the model has no price there. */
  readonly priceOf: (model: string, promptTokens: number) => Price | undefined
}

/** A past request: charged, or failed before anything was delivered. */
export type PastRequest =
  | { readonly outcome: 'charged'; readonly settlement: Settlement }
  | {
      readonly outcome: 'failed'
      readonly requestId: string
      readonly account: number
      readonly limitAccount: number
      readonly trace: TraceRow
    }

export interface HistoryOptions {
  /** Unix milliseconds; end of the history. */
  readonly now: number
  readonly days: number
  readonly requestsPerDay: number
  readonly consumers: readonly Consumer[]
  readonly sellersOf: (model: string) => readonly Seller[]
  readonly random: Random
}

/** Share of requests in which the first channel fails, ordinarily and during the incident. */
const FAILURE = { ordinary: 0.012, incident: 0.7 }
const SECOND_FAILURE = 0.15
const CLIENT_GONE = 0.011
const UPSTREAM_BROKEN = 0.004
const INCIDENT_HOURS = [14, 15]
const INCIDENT_DAYS_AGO = 9
const TASK_MS = 7_200_000

export function makeHistory(options: HistoryOptions): PastRequest[] {
  const { now, days, consumers, random } = options
  const from = now - days * DAY_MS
  const totalWeight = consumers.reduce((sum, { use }) => sum + use.weight, 0)
  const moments: { readonly at: number; readonly consumer: Consumer }[] = []
  for (const hour of hoursBetween(from, now)) {
    for (const consumer of consumers) {
      const average = (options.requestsPerDay / 24) * (consumer.use.weight / totalWeight)
      const expected = average * intensity(consumer.use.rhythm, hour, from, days)
      // A whole number whose mean is the expectation, with some noise.
      const count = Math.floor(random.around(expected, 0.25) + random.unit())
      for (let n = 0; n < count; n++) moments.push({ at: withinHour(hour, random.unit()), consumer })
    }
  }
  moments.sort((a, b) => a.at - b.at)
  return moments.flatMap(({ at, consumer }) => makeRequest(options, at, consumer) ?? [])
}

interface Attempt {
  readonly seller: Seller
  readonly started: number
  readonly ended: number
  readonly status: number
  readonly error: string
}

function makeRequest(options: HistoryOptions, at: number, consumer: Consumer): PastRequest | undefined {
  const { random } = options
  const { use } = consumer
  const { model } = random.pick(use.models)
  const sellers = options.sellersOf(model)
  const requestId = requestIdAt(at, random)
  const attempts = makeAttempts(random, sellers, isIncident(options.now, at))
  const last = attempts.at(-1)
  if (last === undefined) return undefined
  const promptTokens = Math.max(6, Math.round(random.around(use.promptTokens, 0.55)))
  const timing = { received: at, bodySize: promptTokens * 4 + 180, forwarded: at + 1 + random.below(3) }
  if (last.status !== 200) {
    const trace = makeTrace(requestId, consumer, attempts, { ...timing, completed: at + last.ended, status: 502 })
    return { outcome: 'failed', requestId, account: consumer.account, limitAccount: consumer.limitAccount, trace }
  }
  const ended = random.chance(CLIENT_GONE)
    ? 'client_gone'
    : random.chance(UPSTREAM_BROKEN)
      ? 'upstream_broken'
      : 'complete'
  const wanted = Math.max(1, Math.round(random.around(use.answerTokens, 0.6)))
  const output = ended === 'complete' ? wanted : Math.max(1, Math.floor(wanted * random.unit()))
  const cachedInput = Math.floor(promptTokens * use.cachedShare * random.unit())
  const tokens: TokenCounts = {
    input: promptTokens - cachedInput,
    cachedInput,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output,
    reasoning: 0,
  }
  const price = last.seller.priceOf(model, promptTokens)
  if (price === undefined) return undefined
  const amount = charge(tokens, price)
  const isStream = random.chance(use.streamedShare)
  const firstByte = at + last.started + Math.round(random.around(isStream ? 380 : 500 + output * 9, 0.35))
  const upstreamCompleted = isStream ? firstByte + Math.round(output * random.around(11, 0.2)) : firstByte + 2
  const completed = upstreamCompleted + 1
  const answered = attempts.map((attempt) => (attempt === last ? { ...last, ended: upstreamCompleted - at } : attempt))
  return {
    outcome: 'charged',
    settlement: {
      requestId,
      account: consumer.account,
      limitAccount: consumer.limitAccount,
      amount,
      price,
      tokens,
      userId: consumer.userId,
      tokenId: consumer.tokenId,
      channelId: last.seller.channelId,
      model,
      log: {
        ...PLAIN_SETTLED_LOG,
        createdAt: Math.floor(completed / 1_000),
        username: consumer.username,
        tokenName: consumer.tokenName,
        channelName: last.seller.channelName,
        originModel: model,
        elapsedMs: completed - at,
        isStream,
        estimated: ended !== 'complete',
        ended,
        content: describePrice(price),
        session: use.agent === undefined ? '' : sessionAt(at, consumer),
        client: use.agent ?? 'openai-python',
      },
      trace: makeTrace(requestId, consumer, answered, {
        ...timing,
        firstUpstream: firstByte,
        firstClient: firstByte + 1,
        upstreamCompleted,
        completed,
        status: ended === 'client_gone' ? 499 : 200,
        held: amount,
        upstreamUsage: ended === 'complete' ? usageObject(tokens) : '',
      }),
    },
  }
}

/** A user of an agent starts a new session for each task, here every two hours. */
function sessionAt(at: number, { tokenId }: Consumer): string {
  const task = Math.floor(at / TASK_MS)
  return createHash('sha256').update(`${tokenId} ${task}`).digest('base64url').slice(0, 22)
}

function usageObject({ input, cachedInput, output }: TokenCounts): string {
  const prompt = input + cachedInput
  return JSON.stringify({
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
  })
}

/** The line that the gateway writes into its log rows. */
function describePrice({ rates, groupRatio }: Price): string {
  const completionRatio = Math.round((Number(rates.output) / Number(rates.input)) * 1_000) / 1_000
  return `model ratio ${Number(rates.input) / 1e9}, completion ratio ${completionRatio}, group ratio ${Number(groupRatio) / 1e6}`
}

/** The first channel, and the second if the first failed. */
function makeAttempts(random: Random, sellers: readonly Seller[], incident: boolean): Attempt[] {
  const attempts: Attempt[] = []
  let started = 2
  for (const [at, seller] of sellers.slice(0, 2).entries()) {
    const share = at > 0 ? SECOND_FAILURE : incident ? FAILURE.incident : FAILURE.ordinary
    const failed = random.chance(share)
    const status = failed ? random.pick(FAILURES).status : 200
    const ended = started + (failed ? Math.round(random.around(140, 0.5)) : 0)
    attempts.push({ seller, started, ended, status, error: failed ? 'upstream_rejected' : '' })
    if (!failed) break
    started = ended + 1
  }
  return attempts
}

const FAILURES = [
  { status: 503, weight: 6 },
  { status: 429, weight: 3 },
  { status: 500, weight: 2 },
]

function isIncident(now: number, at: number): boolean {
  const day = new Date(now - INCIDENT_DAYS_AGO * DAY_MS).toISOString().slice(0, 10)
  const time = new Date(at)
  return time.toISOString().startsWith(day) && INCIDENT_HOURS.includes(time.getUTCHours())
}

function makeTrace(
  requestId: string,
  consumer: Consumer,
  attempts: readonly Attempt[],
  stages: Pick<TraceRow, 'received' | 'forwarded' | 'completed' | 'status' | 'bodySize'> &
    Partial<Pick<TraceRow, 'firstUpstream' | 'firstClient' | 'upstreamCompleted' | 'held' | 'upstreamUsage'>>,
): TraceRow {
  return {
    requestId,
    userId: consumer.userId,
    url: '/v1/chat/completions',
    method: 'POST',
    firstUpstream: 0,
    firstClient: 0,
    upstreamCompleted: 0,
    held: mq(0n),
    upstreamUsage: '',
    routing: '',
    ...stages,
    attempts: JSON.stringify(
      attempts.map(({ seller, started, ended, status, error }) => ({
        channel: seller.channelId,
        channel_name: seller.channelName,
        started,
        ended,
        status,
        error,
      })),
    ),
  }
}

/** A UUIDv7 for that time, as 32 hexadecimal digits. */
function requestIdAt(at: number, random: Random): string {
  return `${at.toString(16).padStart(12, '0')}7${random.hex(3)}${(8 + random.below(4)).toString(16)}${random.hex(15)}`
}
