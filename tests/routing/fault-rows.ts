import type { Got } from './client.ts'
import { DIALECTS } from './client.ts'
import { type Fault, FAULTS, MIDDLE_FAULTS } from './faults.ts'
import type { Kept, MatrixWorld } from './matrix-world.ts'

/** What became of one request. */
export interface Told {
  readonly got: Got
  readonly kept: Kept
}

/** A fault, met by one kind of request. */
export interface FaultRow {
  readonly fault: Fault
  readonly stream: boolean
  /** The failing channel is the only one. */
  readonly alone: Told
  /** What its lane was given when it went on failing; undefined when nothing. */
  readonly rested: Rested | undefined
  /** A good channel stands behind it. */
  readonly beside: Told
  /** The request after that, where the failing channel was left alone at once and for long enough. */
  readonly next: Told | undefined
}

export interface Rested {
  /** The first call was enough. */
  readonly isAtOnce: boolean
  readonly cause: string
  readonly seconds: number
  /** What the console is told of the lane. */
  readonly shownCause: string
}

/** A fault in the middle of a stream, for a client of one dialect and a provider of the same or of another one. */
export interface MiddleRow {
  readonly fault: Fault
  readonly client: string
  readonly provider: string
  readonly told: Told
}

/** Failures in a row that the breaker waits for when they come at once, but for the first. */
const MORE_CALLS = 9
/** Before all rows, and beside each: a fifth of all calls may be tried again. */
const BUSY_BEFORE = 80
const BUSY_BESIDE = 5
/** Seconds: a busy machine may need longer for the next request than a shorter rest lasts. */
const SHORTEST_REST = 1.5
/** At a time: quick enough, and no more than a busy machine serves within the short time-outs of the matrix. */
const AT_ONCE = 6

/** Meets each fault, streamed and plain, alone and beside a good channel; each time through a channel of its own. */
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
      fault.shows === 'never' ? undefined : await failUntilRest(matrix, channels.get(model) ?? 0, model, stream, alone)
    return { fault, stream, alone, rested, beside, next }
  })
}

async function failUntilRest(
  matrix: MatrixWorld,
  channel: number,
  model: string,
  stream: boolean,
  first: Told,
): Promise<Rested | undefined> {
  const [soon] = first.kept.rests
  const more = soon === undefined ? Array.from({ length: MORE_CALLS }, () => tell(matrix, model, stream)) : []
  const rest = soon ?? (await Promise.all(more)).flatMap(({ kept }) => kept.rests)[0]
  if (rest === undefined) return undefined
  return { isAtOnce: soon !== undefined, ...rest, shownCause: await matrix.restingFor(channel, model) }
}

/** Types of channels by what they speak first. */
const PROVIDERS: Readonly<Record<string, number>> = { chat: 50, messages: 14, responses: 1, gemini: 24 }

/** Meets each fault in the middle of a stream in every dialect of clients, from a provider of chat and from one of their own. */
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
    return { fault, client: client.name, provider, told: { got, kept: await matrix.kept(got.requestId) } }
  })
}

async function tell(matrix: MatrixWorld, model: string, stream: boolean): Promise<Told> {
  const got = await matrix.ask(model, stream)
  return { got, kept: await matrix.kept(got.requestId) }
}

/** Some at a time, answered in their order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<T, R>()
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.set(item, await work(item))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return items.flatMap((item) => results.get(item) ?? [])
}
