import { type Kysely, sql } from 'kysely'
import { asNumber } from '../aggregates.ts'
import { databaseTime } from '../database-time.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'

/** What one replica tells of a channel. */
export interface ToldRest {
  readonly replica: string
  /** Its own count of what it has told. */
  readonly number: number
  readonly channel: number
  readonly key: string
  readonly model: string
  /** Empty: whatever was held against the channel is forgotten. */
  readonly cause: string
  /** Milliseconds from now on. */
  readonly leftMs: number
}

/** Rows that one look answers, the newest first in line; who tells more at once than that is not heard in full. */
const READ = 2_000
/** That a channel is to be forgotten is told for so long. */
export const FORGET_TOLD_MS = 60_000

/** Writes what a replica tells, in its order; at most a few hundred at a time. */
export async function tellRests(
  { kysely, engine }: Pick<Database, 'kysely' | 'engine'>,
  told: readonly ToldRest[],
): Promise<void> {
  if (told.length === 0) return
  const now = databaseTime(engine)
  const forgotten = told.filter(({ cause }) => cause === '').map(({ channel }) => channel)
  // Who starts later must not hear of rests that were forgotten.
  if (forgotten.length > 0) await kysely.deleteFrom('channel_rest').where('channel_id', 'in', forgotten).execute()
  await kysely
    .insertInto('channel_rest')
    .values(
      told.map(({ replica, number, channel, key, model, cause, leftMs }) => ({
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
    // Told already: the answer to the first try was lost.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What the others have told since `since`, in its order, and the time by the clock of the database. */
export async function readRests(
  { kysely, engine }: Pick<Database, 'kysely' | 'engine'>,
  replica: string,
  since: number,
): Promise<{ readonly now: number; readonly told: readonly ToldRest[] }> {
  const newest = kysely
    .selectFrom('channel_rest')
    .selectAll()
    .where('at_ms', '>', since)
    .where('replica', '<>', replica)
    .orderBy('at_ms', 'desc')
    .limit(READ)
  // One row says the time also when nothing was told.
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
    told: rows.flatMap(({ channel_id, until_ms, replica: by, number, key, model, cause }) =>
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

/** Removes what is over. */
export async function sweepRests({ kysely, engine }: Pick<Database, 'kysely' | 'engine'>): Promise<void> {
  await kysely.deleteFrom('channel_rest').where('until_ms', '<', databaseTime(engine)).execute()
}

/** Processes that have shown themselves in the last 30 s, three times as long as it takes them. */
export async function countReplicas(kysely: Kysely<Schema>, engine: Database['engine']): Promise<number> {
  const { count } = await kysely
    .selectFrom('replica')
    .select((eb) => eb.fn.countAll<number | bigint | string>().as('count'))
    .where('dead', '=', 0)
    .where('heartbeat_ms', '>', sql<number>`${databaseTime(engine)} - 30000`)
    .executeTakeFirstOrThrow()
  return asNumber(count)
}
