import type { Health, Cooldown } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import {
  FORGET_NEWS_MS,
  readCooldowns,
  sweepCooldowns,
  writeCooldowns,
} from '@sluice/store/queries/channels/channel-rests'
import type { Valkey } from '../engines/valkey.ts'
import { isCause, type LaneNews, LONGEST_COOLDOWN_MS, readNews, writeNews } from './lane-news.ts'

/** Lane health that replicas share: what one has learned at its own expense, the others need not learn again. */
export interface SharedHealth {
  /** To be used instead of the health it was made from: here `forget` applies to all replicas. */
  readonly health: Health
  /** A call of this process put its lane into this cooldown. Returns at once. */
  readonly reportCooldown: (cooldown: Cooldown) => void
  /** Writes what is not yet written, if the database is there, and ends. */
  close(): Promise<void>
}

export interface SharedHealthOptions {
  readonly health: Health
  readonly database: Pick<Database, 'kysely' | 'engine'>
  /** Name of this process among the replicas. */
  readonly replica: string
  /** Delivers news at once; what it loses is found in the database. */
  readonly valkey?: Pick<Valkey, 'publish' | 'listen'> | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  /** Calls a task at this interval in ms, and returns a function that stops it. */
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

const TOPIC = 'lanes'
const LOOK_MS = 1_000
/** Looks between two sweeps. */
const SWEEP_LOOKS = 60
/** A cooldown that moves by less is not published again: hundreds of calls can end with the same refusal. */
const WORTH_PUBLISHING_MS = 250
/** News that wait to be written; for each lane the latest. News beyond this number are not shared. */
const WAITING = 1_000
/** Rows written at a time, so that one replica does not drown out the others. */
const WRITTEN = 100
/** A row can become visible this long after its time: looks overlap by this. */
const OVERLAP_MS = 5_000
/** News that are remembered, so that the same do not count twice. */
const HEARD = 10_000

/** What to publish, with its end by this process's clock. */
interface Waiting extends Omit<LaneNews, 'leftMs' | 'replica'> {
  readonly until: number
}

export function openSharedHealth(options: SharedHealthOptions): SharedHealth {
  const { health, database, replica, valkey, now, every, onError } = options
  const waiting = new Map<string, Waiting>()
  /** Numbers of news that were received; the oldest first. */
  const heard = new Set<string>()
  let number = 0
  /** By the database's clock; 0 until the first look, which finds everything that still applies. */
  let lookedAt = 0
  let looks = 0
  /** Reported once: a database that is away is away for many looks. */
  let isAway = false
  let working: Promise<void> | undefined

  const publish = (news: Omit<Waiting, 'number'>): void => {
    const slot = JSON.stringify([news.channel, news.key, news.model, news.cause])
    const last = waiting.get(slot)
    const isRepeated = last !== undefined && Math.abs(news.until - last.until) < WORTH_PUBLISHING_MS
    if (isRepeated && news.cause !== '') return
    number += 1
    const numbered = { ...news, number }
    waiting.delete(slot)
    if (waiting.size < WAITING) waiting.set(slot, numbered)
    valkey?.publish(TOPIC, writeNews(withLength(numbered)))
  }
  const withLength = ({ until, ...news }: Waiting): LaneNews => ({
    ...news,
    replica,
    leftMs: Math.max(0, Math.round(until - now())),
  })

  /** Also discards what was not published yet. */
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
      const cooldownMs = Math.min(leftMs, LONGEST_COOLDOWN_MS)
      health.adopt({ channel, key, model, cause, until: now() + cooldownMs }, cooldownMs)
    }
  }

  const write = async (): Promise<void> => {
    const taken = [...waiting.entries()].slice(0, WRITTEN)
    const news = taken.map(([, each]) => withLength(each)).filter(({ leftMs }) => leftMs > 0)
    await writeCooldowns(database, news)
    // What changed in the meantime waits for its own turn.
    for (const [slot, each] of taken) if (waiting.get(slot) === each) waiting.delete(slot)
  }
  const read = async (): Promise<void> => {
    const { now: time, news } = await readCooldowns(database, replica, lookedAt === 0 ? 0 : lookedAt - OVERLAP_MS)
    lookedAt = time
    for (const { cause, ...each } of news) if (isCause(cause)) hear({ ...each, cause })
  }
  const look = async (): Promise<void> => {
    // What others have cleared is not published any more.
    await read()
    await write()
    isAway = false
    looks += 1
    if (looks % SWEEP_LOOKS === 0) await sweepCooldowns(database)
  }
  /** One at a time: a turn that finds the previous one still under way is skipped. */
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
        publish({ channel, key: '', model: '', cause: '', until: now() + FORGET_NEWS_MS })
      },
    },
    reportCooldown: publish,
    close: async () => {
      stop()
      await working
      await write().catch(() => {})
    },
  }
}
