import { type Kysely, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import { databaseTime } from '../../clocks.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'

/** A replica's report about a channel. */
export interface SharedCooldown {
  readonly replica: string
  /** Number of the report, by the replica's own count. */
  readonly number: number
  readonly channel: number
  readonly key: string
  readonly model: string
  /** Empty: all cooldowns of the channel are forgotten. */
  readonly cause: string
  /** Milliseconds from now. */
  readonly leftMs: number
}

/** Most rows per read, newest first; of a replica that reports more at once, only a part is read. */
const READ = 2_000
/** How long a report to forget a channel's cooldowns is kept. */
export const FORGET_NEWS_MS = 60_000

/** Writes a replica's reports, in its order; at most a few hundred at a time. */
export async function writeCooldowns(
  { kysely, engine }: Pick<Database, 'kysely' | 'engine'>,
  news: readonly SharedCooldown[],
): Promise<void> {
  if (news.length === 0) return
  const now = databaseTime(engine)
  const forgotten = news.filter(({ cause }) => cause === '').map(({ channel }) => channel)
  // A replica that starts later must not read cooldowns that were forgotten.
  if (forgotten.length > 0) await kysely.deleteFrom('channel_rest').where('channel_id', 'in', forgotten).execute()
  await kysely
    .insertInto('channel_rest')
    .values(
      news.map(({ replica, number, channel, key, model, cause, leftMs }) => ({
        replica,
        number,
        channel_id: channel,
        key,
        model,
        cause,
        at_ms: now,
        until_ms: sql<number>`${now} + ${leftMs}`,
      })),
    )
    // The row is already there if the answer to a first attempt was lost.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Reports of other replicas since `since`, in reporting order, and the time by the database's clock. */
export async function readCooldowns(
  { kysely, engine }: Pick<Database, 'kysely' | 'engine'>,
  replica: string,
  since: number,
): Promise<{ readonly now: number; readonly news: readonly SharedCooldown[] }> {
  const newest = kysely
    .selectFrom('channel_rest')
    .selectAll()
    .where('at_ms', '>', since)
    .where('replica', '<>', replica)
    .orderBy('at_ms', 'desc')
    .limit(READ)
  // There is always one row, which gives the time even when nothing was reported.
  const rows = await kysely
    .selectFrom(kysely.selectNoFrom(databaseTime(engine).as('now_ms')).as('clock'))
    .leftJoin(newest.as('rest'), (join) => join.onTrue())
    .selectAll()
    .orderBy('rest.at_ms')
    .orderBy('rest.number')
    .execute()
  const now = rows[0]?.now_ms ?? 0
  return {
    now,
    news: rows.flatMap(({ channel_id, until_ms, replica: by, number, key, model, cause }) =>
      channel_id === null || until_ms === null || by === null || number === null || cause === null
        ? []
        : [
            {
              replica: by,
              number,
              channel: channel_id,
              key: key ?? '',
              model: model ?? '',
              cause,
              leftMs: until_ms - now,
            },
          ],
    ),
  }
}

export async function sweepCooldowns({ kysely, engine }: Pick<Database, 'kysely' | 'engine'>): Promise<void> {
  await kysely.deleteFrom('channel_rest').where('until_ms', '<', databaseTime(engine)).execute()
}

/** Processes with a heartbeat in the last 30 s, three times the interval between heartbeats. */
export async function countReplicas(kysely: Kysely<Schema>, engine: Database['engine']): Promise<number> {
  const { count } = await kysely
    .selectFrom('replica')
    .select((eb) => eb.fn.countAll<number | bigint | string>().as('count'))
    .where('dead', '=', 0)
    .where('heartbeat_ms', '>', sql<number>`${databaseTime(engine)} - 30000`)
    .executeTakeFirstOrThrow()
  return asNumber(count)
}
