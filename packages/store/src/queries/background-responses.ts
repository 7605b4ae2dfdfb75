import { type Kysely, sql } from 'kysely'
import { hasNul } from '../column-types.ts'
import type { Schema } from '../schema/schema.ts'

/** OpenAI's names. Only `in_progress` can change. */
export type BackgroundStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

export interface BackgroundResponse {
  readonly id: string
  readonly status: BackgroundStatus
  /** The response object as JSON, sealed. Until the response is made, and if it never is, it has only what the request says. */
  readonly sealed: string
  /** The provider's id for it, if the provider stores it; otherwise empty. */
  readonly providerId: string
  /** False when it is in progress but the process that makes it has not renewed it for a while. */
  readonly isAlive: boolean
}

/** How long a response is kept after its end, in milliseconds. */
export const KEPT_MS = 3_600_000
/** How often a process renews a response that it is still making; after `ALIVE_MS` of silence, the response has failed. */
export const RENEWED_MS = 2_000
export const ALIVE_MS = 30_000
/** Most bytes kept for one user. The oldest responses are dropped first. */
export const USER_BYTES = 67_108_864
const USER_RESPONSES = 1_000
/** How many expired rows are removed with each new one. */
const SWEPT_FOR_ONE = 20

/** Begins a response, and removes some that have expired. */
export async function beginBackground(
  db: Kysely<Schema>,
  { id, userId, sealed }: { readonly id: string; readonly userId: number; readonly sealed: string },
  now: number,
): Promise<void> {
  const old = db
    .selectFrom('background_response')
    .select('id')
    .where('expires_ms', '<=', now)
    .orderBy('expires_ms')
    .limit(SWEPT_FOR_ONE)
  await db.deleteFrom('background_response').where('id', 'in', old).execute()
  const values = { id, user_id: userId, status: 'in_progress', response_sealed: sealed, bytes: sealed.length }
  const times = { alive_ms: now + ALIVE_MS, expires_ms: now + ALIVE_MS + KEPT_MS }
  await db
    .insertInto('background_response')
    .values({ ...values, ...times })
    .execute()
}

/** Finds a response of this user; reveals nothing about others. */
export async function findBackground(
  db: Kysely<Schema>,
  id: string,
  userId: number,
  now: number,
): Promise<BackgroundResponse | undefined> {
  if (hasNul(id)) return undefined
  const row = await db
    .selectFrom('background_response')
    .select(['id', 'status', 'response_sealed as sealed', 'provider_id as providerId', 'alive_ms'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_ms', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { alive_ms, ...found } = row
  const status = found.status as BackgroundStatus
  return { ...found, status, isAlive: status === 'in_progress' && alive_ms > now }
}

/** Renews responses and returns the ids of those still in progress; called every `RENEWED_MS` for all responses in the making. */
export async function renewBackground(
  db: Kysely<Schema>,
  ids: readonly string[],
  now: number,
): Promise<readonly string[]> {
  const rows = await db
    .updateTable('background_response')
    .set({ alive_ms: now + ALIVE_MS, expires_ms: now + ALIVE_MS + KEPT_MS })
    .where('id', 'in', ids)
    .where('status', '=', 'in_progress')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends a response, unless it was cancelled or deleted before, and drops a user's oldest ones beyond the limits. */
export async function endBackground(
  db: Kysely<Schema>,
  id: string,
  { status, sealed, providerId }: Pick<BackgroundResponse, 'status' | 'sealed' | 'providerId'>,
  now: number,
): Promise<void> {
  const ended = await db
    .updateTable('background_response')
    .set({ status, response_sealed: sealed, bytes: sealed.length, provider_id: providerId, expires_ms: now + KEPT_MS })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .returning('user_id')
    .executeTakeFirst()
  if (ended === undefined) return
  await sql`
    delete from background_response where id in (
      select id from (
        select id,
          sum(bytes) over (order by expires_ms desc, id) as newer_bytes,
          row_number() over (order by expires_ms desc, id) as place
        from background_response where user_id = ${ended.user_id} and status <> 'in_progress'
      ) as kept
      where newer_bytes > ${USER_BYTES} or place > ${USER_RESPONSES}
    )`.execute(db)
}

/** False unless the response was this user's and still in progress. */
export async function cancelBackground(db: Kysely<Schema>, id: string, userId: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('background_response')
    .set({ status: 'cancelled', expires_ms: now + KEPT_MS })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', '=', 'in_progress')
    .where('alive_ms', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a response; returns whether this user had it. The process that makes it notices its absence. */
export async function forgetBackground(db: Kysely<Schema>, id: string, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('background_response')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
