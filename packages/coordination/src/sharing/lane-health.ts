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

/** Lane health that replicas share, so that each learns from the others' failures. */
export interface SharedHealth {
  /** Use this in place of the health passed in: its `forget` applies to all replicas. */
  readonly health: Health
  /** Reports that a call of this process caused a cooldown. Returns at once. */
  readonly reportCooldown: (cooldown: Cooldown) => void
  /** Writes pending reports, if the database is reachable, and ends. */
  close(): Promise<void>
}

export interface SharedHealthOptions {
  readonly health: Health
  readonly database: Pick<Database, 'kysely' | 'engine'>
  readonly replica: string
  /** Delivers reports at once; those that it loses are found in the database. */
  readonly valkey?: Pick<Valkey, 'publish' | 'listen'> | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

const TOPIC = 'lanes'
const LOOK_MS = 1_000
const SWEEP_LOOKS = 60
/** A cooldown whose end moves by less than this is not published again: hundreds of calls can end with the same refusal. */
const WORTH_PUBLISHING_MS = 250
/** Most reports waiting to be written, the latest for each lane; any beyond are not shared through the database. */
const WAITING = 1_000
/** Most rows per write, so that one replica does not crowd out the others. */
const WRITTEN = 100
/** Polls overlap by this much, because a row can become visible this long after its time. */
const OVERLAP_MS = 5_000
/** How many received reports are remembered, so that none counts twice. */
const HEARD = 10_000

/** A report to publish, with its end by this process's clock. */
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

class SharedNews {
  readonly #options: SharedHealthOptions
  readonly #waiting = new Map<string, Waiting>()
  /** Numbers of received reports, oldest first. */
  readonly #heard = new Set<string>()
  #number = 0
  /** Time of the last poll by the database's clock; 0 before the first one, which finds everything that still applies. */
  #lookedAt = 0
  #looks = 0
  /** Limits an outage to one report, because it usually lasts for many polls. */
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

  /** A turn is skipped while the previous one is still in progress. */
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
    // Reads first, so that cooldowns that others have cleared are not published.
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
    // Reports that changed in the meantime wait for the next turn.
    for (const [slot, each] of taken) if (this.#waiting.get(slot) === each) this.#waiting.delete(slot)
  }

  async close(): Promise<void> {
    await this.#working
    await this.#write().catch(() => {})
  }
}
