import type { Kysely } from 'kysely'
import { hasNul } from '../column-types.ts'
import type { Schema } from '../schema/schema.ts'

/** The location and owner of a stored response or item. */
export interface StoredResponse {
  readonly id: string
  readonly userId: number
  readonly channelId: number
  /** Fingerprint of the key that it was made with; empty in rows from before this was recorded. */
  readonly key: string
  readonly model: string
}

/** OpenAI deletes responses after the same time. */
const KEPT_MS = 30 * 86_400_000
/**
 * How many old rows are removed for each new one: enough to keep up, while every sweep stays short. A clock that is ahead for an
 * hour then costs only the oldest two hours, not everything.
 */
const SWEPT_FOR_ONE = 2

/** Stores a response with its items, for at most `KEPT_MS`. A known id keeps its owner; an id with U+0000 is not stored. */
export async function storeResponses(
  db: Kysely<Schema>,
  given: readonly string[],
  { userId, channelId, key, model }: Omit<StoredResponse, 'id'>,
  now: number,
): Promise<void> {
  const ids = given.filter((id) => !hasNul(id))
  if (ids.length === 0) return
  const shared = { user_id: userId, channel_id: channelId, key_fingerprint: key, model, kept_ms: now }
  await db
    .insertInto('kept_response')
    .values(ids.map((id) => ({ id, ...shared })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const old = db
    .selectFrom('kept_response')
    .select('id')
    .where('kept_ms', '<', now - KEPT_MS)
    .orderBy('kept_ms')
    .limit(SWEPT_FOR_ONE * ids.length)
  await db.deleteFrom('kept_response').where('id', 'in', old).execute()
}

/** Which of these ids are stored for this user; reveals nothing about others. */
export async function findStoredResponses(
  db: Kysely<Schema>,
  given: readonly string[],
  userId: number,
): Promise<readonly StoredResponse[]> {
  const ids = given.filter((id) => !hasNul(id))
  if (ids.length === 0) return []
  return await db
    .selectFrom('kept_response')
    .select(['id', 'user_id as userId', 'channel_id as channelId', 'key_fingerprint as key', 'model'])
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .execute()
}

export async function forgetResponse(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('kept_response').where('id', '=', id).execute()
}
