import { type Kysely, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { CHANNEL_STATUS, ROLE, USER_STATUS } from '../../statuses.ts'

/** When the newest row of each table was written, in unix milliseconds; 0 for an empty table. */
export async function newestRows(db: Kysely<Schema>): Promise<Readonly<Record<'log' | 'session' | 'audit', number>>> {
  const [log, session, audit] = await Promise.all([
    db.selectFrom('log').select('created_at as at').orderBy('created_at', 'desc').limit(1).executeTakeFirst(),
    db
      .selectFrom('session')
      .select(sql<number | null>`max(created_time)`.as('at'))
      .executeTakeFirst(),
    db.selectFrom('audit').select('begun_ms as at').orderBy('begun_ms', 'desc').limit(1).executeTakeFirst(),
  ])
  return { log: asNumber(log?.at ?? 0) * 1_000, session: asNumber(session?.at ?? 0) * 1_000, audit: audit?.at ?? 0 }
}

/** The number of holds not touched since a time, and when the oldest of them was opened. Unix milliseconds. */
export async function holdsUntouchedSince(
  db: Kysely<Schema>,
  since: number,
): Promise<{ readonly count: number; readonly oldest: number }> {
  const row = await db
    .selectFrom('hold')
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`min(opened_ms)`.as('oldest')])
    .where('touched_ms', '<', since)
    .executeTakeFirstOrThrow()
  return { count: asNumber(row.count), oldest: row.oldest ?? 0 }
}

/** Charged requests since a day, keyed by `<channel> <model>`. Days count from 1970-01-01 UTC. */
export async function requestsSince(db: Kysely<Schema>, day: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('usage_daily_model')
    .select(['channel_id', 'model', sql<number>`sum(requests)`.as('requests')])
    .where('day', '>=', day)
    .groupBy(['channel_id', 'model'])
    .execute()
  return new Map(rows.map((row) => [`${row.channel_id} ${row.model}`, asNumber(row.requests)]))
}

/** Why and when (unix milliseconds) the gateway disabled channels, by id. */
export async function listSwitchedOff(
  db: Kysely<Schema>,
): Promise<ReadonlyMap<number, { readonly reason: string; readonly since: number }>> {
  const rows = await db
    .selectFrom('channel')
    .select(['id', 'disabled_reason as reason', 'disabled_ms as since'])
    .where('status', '=', CHANNEL_STATUS.autoDisabled)
    .execute()
  return new Map(rows.map(({ id, reason, since }) => [id, { reason, since }]))
}

/** An account that may manage others. */
export interface PowerfulUser {
  readonly username: string
  readonly role: number
  readonly passwordHash: string
  /** Has a TOTP device or a passkey. */
  readonly hasSecondStep: boolean
}

const MOST_LISTED = 1_000

/** Enabled administrators and root, by id. */
export async function listPowerfulUsers(db: Kysely<Schema>): Promise<readonly PowerfulUser[]> {
  const rows = await db
    .selectFrom('user')
    .select((eb) => [
      'username',
      'role',
      'password_hash',
      'totp_sealed',
      eb
        .exists(eb.selectFrom('passkey').select('passkey.id').whereRef('passkey.user_id', '=', 'user.id'))
        .as('has_passkey'),
    ])
    .where('role', '>=', ROLE.admin)
    .where('status', '=', USER_STATUS.enabled)
    .orderBy('id')
    .limit(MOST_LISTED)
    .execute()
  return rows.map((row) => ({
    username: row.username,
    role: row.role,
    passwordHash: row.password_hash,
    hasSecondStep: row.totp_sealed !== null || Boolean(row.has_passkey),
  }))
}

/** How many mails have been abandoned since a time (unix milliseconds), and why the latest one was. */
export async function mailsGivenUpSince(
  db: Kysely<Schema>,
  since: number,
): Promise<{ readonly count: number; readonly problem: string }> {
  const given = db.selectFrom('outbox').where('state', '=', 'dead').where('done_ms', '>=', since)
  const [counted, latest] = await Promise.all([
    given.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
    given.select('problem').orderBy('done_ms', 'desc').limit(1).executeTakeFirst(),
  ])
  return { count: asNumber(counted.count), problem: latest?.problem ?? '' }
}
