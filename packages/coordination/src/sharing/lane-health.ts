import type { Health, Rest } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import { FORGET_TOLD_MS, readRests, sweepRests, tellRests } from '@sluice/store/queries/channel-rests'
import type { Valkey } from '../engines/valkey.ts'
import { isCause, type LaneNews, LONGEST_REST_MS, readNews, writeNews } from './lane-news.ts'

/** Health of lanes that replicas share: what one has learned at its own expense, the others need not. */
export interface SharedHealth {
  /** To be used instead of what it was made from: here `forget` holds for all replicas. */
  readonly health: Health
  /** A call of this process has brought its lane this rest. Returns at once. */
  readonly told: (rest: Rest) => void
  /** Writes what is not written yet, if the database is there, and ends. */
  close(): Promise<void>
}

export interface SharedHealthOptions {
  readonly health: Health
  readonly database: Pick<Database, 'kysely' | 'engine'>
  /** Name of this process among all. */
  readonly replica: string
  /** Brings news at once; what it loses is found in the database. */
  readonly valkey?: Pick<Valkey, 'publish' | 'listen'> | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  /** Calls a task every so many ms, and answers how to stop. */
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

const TOPIC = 'lanes'
const LOOK_MS = 1_000
/** Looks between two sweeps. */
const SWEEP_LOOKS = 60
/** A rest that moves by less is not told anew: hundreds of calls may end with the same refusal. */
const WORTH_TELLING_MS = 250
/** News that wait to be written; of a lane the latest. What finds no room is not shared. */
const WAITING = 1_000
/** Rows written at a time, so that one replica does not drown out the others. */
const WRITTEN = 100
/** A row may become visible so long after its time: looks overlap by this. */
const OVERLAP_MS = 5_000
/** News that are remembered, so that the same do not count twice. */
const HEARD = 10_000

/** What is to be told, with its end by this process's clock. */
interface Waiting extends Omit<LaneNews, 'leftMs' | 'replica'> {
  readonly until: number
}

export function shareHealth(options: SharedHealthOptions): SharedHealth {
  const { health, database, replica, valkey, now, every, onError } = options
  const waiting = new Map<string, Waiting>()
  /** Numbers of news that were heard; the oldest first. */
  const heard = new Set<string>()
  let number = 0
  /** By the database's clock; 0 until the first look, which finds everything that still holds. */
  let lookedAt = 0
  let looks = 0
  /** Said once: a database that is away is away for many looks. */
  let isAway = false
  let working: Promise<void> | undefined

  const tell = (news: Omit<Waiting, 'number'>): void => {
    const slot = JSON.stringify([news.channel, news.key, news.model, news.cause])
    const last = waiting.get(slot)
    const isRepeated = last !== undefined && Math.abs(news.until - last.until) < WORTH_TELLING_MS
    if (isRepeated && news.cause !== '') return
    number += 1
    const told = { ...news, number }
    waiting.delete(slot)
    if (waiting.size < WAITING) waiting.set(slot, told)
    valkey?.publish(TOPIC, writeNews(withLength(told)))
  }
  const withLength = ({ until, ...news }: Waiting): LaneNews => ({
    ...news,
    replica,
    leftMs: Math.max(0, Math.round(until - now())),
  })

  /** Also what nobody was told of yet. */
  const forget = (channel: number): void => {
    health.forget(channel)
    for (const [slot, each] of waiting) if (each.channel === channel && each.cause !== '') waiting.delete(slot)
  }
  const hear = ({ replica: by, number: at, channel, key, model, cause, leftMs }: LaneNews): void => {
    const name = `${by} ${at}`
    if (by === replica || heard.has(name)) return
    heard.add(name)
    const [oldest] = heard
    if (heard.size > HEARD && oldest !== undefined) heard.delete(oldest)
    if (cause === '') forget(channel)
    else if (leftMs > 0) {
      const restMs = Math.min(leftMs, LONGEST_REST_MS)
      health.adopt({ channel, key, model, cause, until: now() + restMs }, restMs)
    }
  }

  const write = async (): Promise<void> => {
    const taken = [...waiting.entries()].slice(0, WRITTEN)
    const news = taken.map(([, each]) => withLength(each)).filter(({ leftMs }) => leftMs > 0)
    await tellRests(database, news)
    // What changed meanwhile waits for its own turn.
    for (const [slot, each] of taken) if (waiting.get(slot) === each) waiting.delete(slot)
  }
  const read = async (): Promise<void> => {
    const { now: time, told } = await readRests(database, replica, lookedAt === 0 ? 0 : lookedAt - OVERLAP_MS)
    lookedAt = time
    for (const { cause, ...news } of told) if (isCause(cause)) hear({ ...news, cause })
  }
  const look = async (): Promise<void> => {
    // What others have had forgotten is not told any more.
    await read()
    await write()
    isAway = false
    looks += 1
    if (looks % SWEEP_LOOKS === 0) await sweepRests(database)
  }
  /** One at a time: a turn that finds the one before still under way is left out. */
  const turn = (): void => {
    working ??= look()
      .catch((error: unknown) => {
        if (!isAway) onError(error)
        isAway = true
      })
      .finally(() => {
        working = undefined
      })
  }

  valkey?.listen(TOPIC, (text) => {
    const news = readNews(text)
    if (news !== undefined) hear(news)
  })
  const stop = every(LOOK_MS, turn)

  return {
    health: {
      ...health,
      forget: (channel) => {
        forget(channel)
        tell({ channel, key: '', model: '', cause: '', until: now() + FORGET_TOLD_MS })
      },
    },
    told: tell,
    close: async () => {
      stop()
      await working
      await write().catch(() => {})
    },
  }
}
