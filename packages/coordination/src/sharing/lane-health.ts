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

/** Lane health that replicas share: what one has learned the hard way, the others need not learn again. */
export interface SharedHealth {
  /** To be used instead of the health passed in: here `forget` applies to all replicas. */
  readonly health: Health
  /** A call of this process put its lane into this cooldown. Returns at once. */
  readonly reportCooldown: (cooldown: Cooldown) => void
  /** Writes what is not yet written, if the database is reachable, and ends. */
  close(): Promise<void>
}

export interface SharedHealthOptions {
  readonly health: Health
  readonly database: Pick<Database, 'kysely' | 'engine'>
  /** Name of this process among the replicas. */
  readonly replica: string
  /** Delivers reports at once; those that it loses are found in the database. */
  readonly valkey?: Pick<Valkey, 'publish' | 'listen'> | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  /** Calls a task at this interval in ms, and returns a function that stops it. */
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

const TOPIC = 'lanes'
const LOOK_MS = 1_000
/** Polls between two sweeps. */
const SWEEP_LOOKS = 60
/** A cooldown whose end moves by less than this is not published again: hundreds of calls can end with the same refusal. */
const WORTH_PUBLISHING_MS = 250
/**
 * Most reports waiting to be written, only the latest for each lane. Any beyond this number are not shared through the database.
 */
const WAITING = 1_000
/** Most rows written at a time, so that one replica does not crowd out the others. */
const WRITTEN = 100
/** A row can become visible this long after its time: polls overlap by this. */
const OVERLAP_MS = 5_000
/** How many received reports are remembered, so that none counts twice. */
const HEARD = 10_000

/** What to publish, with its end by this process's clock. */
interface Waiting extends Omit<LaneNews, 'leftMs' | 'replica'> {
  readonly until: number
}

export function openSharedHealth(options: SharedHealthOptions): SharedHealth {
  const { health, valkey, now, every } = options
  const news = new SharedNews(options)
  valkey?.listen(TOPIC, (text) => {
    const said = readNews(text)
    if (said !== undefined) news.hear(said)
  })
  const stop = every(LOOK_MS, () => news.turn())

  return {
    health: {
      ...health,
      forget: (channel) => {
        news.forget(channel)
        news.publish({ channel, key: '', model: '', cause: '', until: now() + FORGET_NEWS_MS })
      },
    },
    reportCooldown: (cooldown) => news.publish(cooldown),
    close: async () => {
      stop()
      await news.close()
    },
  }
}

/** The exchange of reports between this process and the others. */
class SharedNews {
  readonly #options: SharedHealthOptions
  readonly #waiting = new Map<string, Waiting>()
  /** Numbers of the received reports, oldest first. */
  readonly #heard = new Set<string>()
  #number = 0
  /** Time of the last poll by the database's clock; 0 before the first one, which finds everything that still applies. */
  #lookedAt = 0
  #looks = 0
  /** Reported once, because a database is usually unreachable for many polls. */
  #isAway = false
  #working: Promise<void> | undefined

  constructor(options: SharedHealthOptions) {
    this.#options = options
  }

  publish(news: Omit<Waiting, 'number'>): void {
    const slot = JSON.stringify([news.channel, news.key, news.model, news.cause])
    const last = this.#waiting.get(slot)
    const isRepeated = last !== undefined && Math.abs(news.until - last.until) < WORTH_PUBLISHING_MS
    if (isRepeated && news.cause !== '') return
    this.#number += 1
    const numbered = { ...news, number: this.#number }
    this.#waiting.delete(slot)
    if (this.#waiting.size < WAITING) this.#waiting.set(slot, numbered)
    this.#options.valkey?.publish(TOPIC, writeNews(this.#withLength(numbered)))
  }

  #withLength({ until, ...news }: Waiting): LaneNews {
    const { replica, now } = this.#options
    return { ...news, replica, leftMs: Math.max(0, Math.round(until - now())) }
  }

  /** Also discards what has not been published yet. */
  forget(channel: number): void {
    this.#options.health.forget(channel)
    for (const [slot, each] of this.#waiting)
      if (each.channel === channel && each.cause !== '') this.#waiting.delete(slot)
  }

  hear({ replica: by, number: at, channel, key, model, cause, leftMs }: LaneNews): void {
    const { health, now, replica } = this.#options
    const name = `${by} ${at}`
    if (by === replica || this.#heard.has(name)) return
    this.#heard.add(name)
    const [oldest] = this.#heard
    if (this.#heard.size > HEARD && oldest !== undefined) this.#heard.delete(oldest)
    if (cause === '') this.forget(channel)
    else if (leftMs > 0) {
      const cooldownMs = Math.min(leftMs, LONGEST_COOLDOWN_MS)
      health.adopt({ channel, key, model, cause, until: now() + cooldownMs }, cooldownMs)
    }
  }

  /** One at a time: a turn is skipped while the previous one is still in progress. */
  turn(): void {
    this.#working ??= this.#look()
      .catch((error: unknown) => {
        if (!this.#isAway) this.#options.onError(error)
        this.#isAway = true
      })
      .finally(() => {
        this.#working = undefined
      })
  }

  async #look(): Promise<void> {
    // Read first, so that what others have cleared is not published.
    await this.#read()
    await this.#write()
    this.#isAway = false
    this.#looks += 1
    if (this.#looks % SWEEP_LOOKS === 0) await sweepCooldowns(this.#options.database)
  }

  async #read(): Promise<void> {
    const { database, replica } = this.#options
    const { now: time, news } = await readCooldowns(
      database,
      replica,
      this.#lookedAt === 0 ? 0 : this.#lookedAt - OVERLAP_MS,
    )
    this.#lookedAt = time
    for (const { cause, ...each } of news) if (isCause(cause)) this.hear({ ...each, cause })
  }

  async #write(): Promise<void> {
    const taken = [...this.#waiting.entries()].slice(0, WRITTEN)
    const news = taken.map(([, each]) => this.#withLength(each)).filter(({ leftMs }) => leftMs > 0)
    await writeCooldowns(this.#options.database, news)
    // What changed in the meantime waits for its own turn.
    for (const [slot, each] of taken) if (this.#waiting.get(slot) === each) this.#waiting.delete(slot)
  }

  async close(): Promise<void> {
    await this.#working
    await this.#write().catch(() => {})
  }
}
