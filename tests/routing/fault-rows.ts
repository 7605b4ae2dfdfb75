import type { Got } from './client.ts'
import { DIALECTS } from './client.ts'
import { type Fault, FAULTS, MIDDLE_FAULTS } from './faults.ts'
import type { Kept, MatrixWorld } from './matrix-world.ts'

/** The outcome of one request. */
export interface RequestOutcome {
  readonly got: Got
  readonly kept: Kept
}

/** A fault, met by one kind of request. */
export interface FaultRow {
  readonly fault: Fault
  readonly stream: boolean
  /** The failing channel is the only one. */
  readonly alone: RequestOutcome
  /** The cooldown of its lane after repeated failures; undefined if there was none. */
  readonly rested: Rested | undefined
  /** With a good channel to fall back on. */
  readonly beside: RequestOutcome
  /** The next request, if the failing channel was left alone immediately and for long enough. */
  readonly next: RequestOutcome | undefined
}

export interface Rested {
  /** The first call was enough. */
  readonly isAtOnce: boolean
  readonly cause: string
  readonly seconds: number
  /** What the console receives about the lane. */
  readonly shownCause: string
}

/** A fault in the middle of a stream, for a client of one dialect and a provider of the same or of another one. */
export interface MiddleRow {
  readonly fault: Fault
  readonly client: string
  readonly provider: string
  readonly outcome: RequestOutcome
}

/** Consecutive failures after the first that the breaker waits for when they arrive at the same time. */
const MORE_CALLS = 9
/** Ordinary calls before all rows, and during each row, because at most a fifth of all calls may be retries. */
const BUSY_BEFORE = 80
const BUSY_BESIDE = 5
/** Seconds: a busy machine may need longer for the next request than a shorter cooldown lasts. */
const SHORTEST_REST = 1.5
/** Calls at a time: fast enough, but no more than a busy machine serves within the matrix's short time-outs. */
const AT_ONCE = 6

/** Meets each fault, streamed and plain, alone and next to a good channel; each time through a new channel. */
export async function meetFaults(matrix: MatrixWorld): Promise<readonly FaultRow[]> {
  const met = FAULTS.flatMap((fault, at) => {
    const forms = fault.isOfStreams ? [true] : [false, true]
    return forms.map((stream) => ({ fault, stream, place: `f${at}`, model: `f${at}-${stream ? 'stream' : 'plain'}` }))
  })
  await matrix.addGood(met.map(({ model }) => `${model}-2`))
  const channels = new Map<string, number>()
  for (const { fault, place, model } of met) {
    channels.set(model, await matrix.addFailing(place, fault.as, [model]))
    await matrix.addFailing(place, fault.as, [`${model}-2`])
  }
  await matrix.beBusy(BUSY_BEFORE)
  return await inTurns(met, async ({ fault, stream, model }) => {
    await matrix.beBusy(BUSY_BESIDE)
    const beside = await tell(matrix, `${model}-2`, stream)
    const isLeftAlone = beside.kept.rests.some(({ seconds }) => seconds > SHORTEST_REST)
    const next = isLeftAlone ? await tell(matrix, `${model}-2`, stream) : undefined
    const alone = await tell(matrix, model, stream)
    const rested =
      fault.shows === 'never'
        ? undefined
        : await failUntilCooldown(matrix, channels.get(model) ?? 0, model, stream, alone)
    return { fault, stream, alone, rested, beside, next }
  })
}

async function failUntilCooldown(
  matrix: MatrixWorld,
  channel: number,
  model: string,
  stream: boolean,
  first: RequestOutcome,
): Promise<Rested | undefined> {
  const [soon] = first.kept.rests
  const more = soon === undefined ? Array.from({ length: MORE_CALLS }, () => tell(matrix, model, stream)) : []
  const cooldown = soon ?? (await Promise.all(more)).flatMap(({ kept }) => kept.rests)[0]
  if (cooldown === undefined) return undefined
  return { isAtOnce: soon !== undefined, ...cooldown, shownCause: await matrix.restingFor(channel, model) }
}

/** Channel types by their main dialect. */
const PROVIDERS: Readonly<Record<string, number>> = { chat: 50, messages: 14, responses: 1, gemini: 24 }

/**
 * Meets each fault in the middle of a stream in every client dialect, with a chat provider and with a provider of the same dialect.
 */
export async function meetMiddleFaults(matrix: MatrixWorld): Promise<readonly MiddleRow[]> {
  const met = MIDDLE_FAULTS.flatMap((fault, at) =>
    DIALECTS.flatMap((client) =>
      [...new Set(['chat', client.name])].map((provider) => ({
        fault,
        client,
        provider,
        place: `m${at}`,
        model: `m${at}-${client.name}-${provider}`,
      })),
    ),
  )
  for (const [where, of] of Map.groupBy(met, ({ place, provider }) => `${place} ${provider}`)) {
    const [place = '', provider = ''] = where.split(' ')
    const models = of.map(({ model }) => model)
    await matrix.addFailing(place, of[0]?.fault.as ?? '', models, PROVIDERS[provider])
  }
  return await inTurns(met, async ({ fault, client, provider, model }) => {
    const got = await matrix.ask(model, true, client)
    return { fault, client: client.name, provider, outcome: { got, kept: await matrix.kept(got.requestId) } }
  })
}

async function tell(matrix: MatrixWorld, model: string, stream: boolean): Promise<RequestOutcome> {
  const got = await matrix.ask(model, stream)
  return { got, kept: await matrix.kept(got.requestId) }
}

/** Several at a time; the results keep their order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<T, R>()
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.set(item, await work(item))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return items.flatMap((item) => results.get(item) ?? [])
}
