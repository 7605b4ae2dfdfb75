import type { Got } from './client.ts'
import { DIALECTS } from './client.ts'
import { type Fault, FAULTS, MIDDLE_FAULTS } from './faults.ts'
import type { Kept, MatrixWorld } from './matrix-world.ts'

export interface RequestOutcome {
  readonly got: Got
  readonly kept: Kept
}

/** A fault with one kind of request. */
export interface FaultRow {
  readonly fault: Fault
  readonly stream: boolean
  /** With only the failing channel. */
  readonly alone: RequestOutcome
  /** The lane's cooldown after repeated failures; undefined for none. */
  readonly rested: Rested | undefined
  /** With a good channel in addition. */
  readonly beside: RequestOutcome
  /** The following request, if the lane's cooldown began at once and lasts long enough. */
  readonly next: RequestOutcome | undefined
}

export interface Rested {
  /** The first call was enough. */
  readonly isAtOnce: boolean
  readonly cause: string
  readonly seconds: number
  /** The cause that the console shows for the lane. */
  readonly shownCause: string
}

/** A fault in the middle of a stream, for a client dialect and a provider of the same or another one. */
export interface MiddleRow {
  readonly fault: Fault
  readonly client: string
  readonly provider: string
  readonly outcome: RequestOutcome
}

/** Consecutive simultaneous failures that the breaker waits for, except the first. */
const MORE_CALLS = 9
/** Ordinary calls before all rows, and during each, because retries may be at most a fifth of all calls. */
const BUSY_BEFORE = 80
const BUSY_BESIDE = 5
/** In seconds; on a busy machine the next request may take longer than a shorter cooldown lasts. */
const SHORTEST_REST = 1.5
/** As many as a busy machine serves within the matrix's short time-outs. */
const AT_ONCE = 6

/** Tests each fault, streamed and plain, alone and with a good channel, always with a new failing channel. */
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

/** Tests each fault inside a stream in every client dialect, with a chat provider and with one of the client's dialect. */
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

/** Several at a time; results in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<T, R>()
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.set(item, await work(item))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return items.flatMap((item) => results.get(item) ?? [])
}
