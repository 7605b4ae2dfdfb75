import { sql } from 'kysely'
import { databaseTime } from '../clocks.ts'
import type { Database } from '../database.ts'

type OneDatabase = Pick<Database, 'kysely' | 'engine'>

/** Writes a replica's wish to the others: a list of their calls, or the end of one. Replaces its earlier wish. */
export async function writeWish(
  { kysely, engine }: OneDatabase,
  {
    id,
    replica,
    userId,
    lifeMs,
  }: { readonly id: string; readonly replica: string; readonly userId: number; readonly lifeMs: number },
): Promise<void> {
  const until = sql<number>`${databaseTime(engine)} + ${lifeMs}`
  await kysely
    .insertInto('running_call_wish')
    .values({ id, replica, user_id: userId, until_ms: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ replica, user_id: userId, until_ms: until }))
    .execute()
}

export interface Wish {
  readonly id: string
  readonly userId: number
}

/** The current wishes of other replicas, at most `most`. */
export async function readWishes(
  { kysely, engine }: OneDatabase,
  replica: string,
  most: number,
): Promise<readonly Wish[]> {
  const rows = await kysely
    .selectFrom('running_call_wish')
    .select(['id', 'user_id'])
    .where('replica', '<>', replica)
    .where('until_ms', '>', databaseTime(engine))
    .limit(most)
    .execute()
  return rows.map(({ id, user_id: userId }) => ({ id, userId }))
}

export async function hasWish({ kysely }: OneDatabase, id: string): Promise<boolean> {
  const row = await kysely.selectFrom('running_call_wish').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function removeWish({ kysely }: OneDatabase, id: string): Promise<void> {
  await kysely.deleteFrom('running_call_wish').where('id', '=', id).execute()
}

export async function writeReport({ kysely, engine }: OneDatabase, replica: string, calls: string): Promise<void> {
  const at = databaseTime(engine)
  await kysely
    .insertInto('running_call_report')
    .values({ replica, at_ms: at, calls })
    .onConflict((conflict) => conflict.column('replica').doUpdateSet({ at_ms: at, calls }))
    .execute()
}

/** Reports of the other replicas from the last `ageMs`. */
export async function readReports(
  { kysely, engine }: OneDatabase,
  replica: string,
  ageMs: number,
): Promise<readonly string[]> {
  const rows = await kysely
    .selectFrom('running_call_report')
    .select('calls')
    .where('replica', '<>', replica)
    .where('at_ms', '>', sql<number>`${databaseTime(engine)} - ${ageMs}`)
    .execute()
  return rows.map(({ calls }) => calls)
}

/** Removes rows older than a minute. */
export async function sweepRunningCalls({ kysely, engine }: OneDatabase): Promise<void> {
  const old = sql<number>`${databaseTime(engine)} - ${SWEPT_MS}`
  await kysely.deleteFrom('running_call_wish').where('until_ms', '<', old).execute()
  await kysely.deleteFrom('running_call_report').where('at_ms', '<', old).execute()
}

const SWEPT_MS = 60_000
