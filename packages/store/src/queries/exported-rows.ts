import { type Kysely, sql } from 'kysely'
import { asBigInt, asNumber } from '../aggregates.ts'
import type { Schema } from '../schema/schema.ts'
import { USER_STATUS } from '../statuses.ts'
import { withUsedBefore } from './accounts/used-before.ts'

/** Rows with ids above `after`, in id order. */
export interface After {
  /** 0 to begin with the first row. */
  readonly after: number
  readonly limit: number
}

/** Users who are not deleted, with the data that belongs only to them. */
export async function listExportedUsers(db: Kysely<Schema>, { after, limit }: After) {
  const rows = await db
    .selectFrom('user')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
    .selectAll('user')
    .select(['account.posted', 'account.spent', 'account.requests'])
    .where('user.status', '<>', USER_STATUS.deleted)
    .where('user.id', '>', after)
    .orderBy('user.id')
    .limit(limit)
    .execute()
  const identities = await identitiesOf(
    db,
    rows.map(({ id }) => id),
  )
  const withBefore = await withUsedBefore(db, 'user', rows)
  return withBefore.map((row) => ({ ...row, identities: identities.filter(({ user_id: id }) => id === row.id) }))
}

async function identitiesOf(db: Kysely<Schema>, userIds: readonly number[]) {
  if (userIds.length === 0) return []
  return await db
    .selectFrom('identity')
    .select(['user_id', 'provider', 'issuer', 'subject'])
    .where('user_id', 'in', [...userIds])
    .execute()
}

export async function listExportedTokens(db: Kysely<Schema>, { after, limit }: After) {
  const rows = await db
    .selectFrom('token')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'token').onRef('account.owner_id', '=', 'token.id'))
    .selectAll('token')
    .select(['account.posted', 'account.spent', 'account.last_ms'])
    .where('token.id', '>', after)
    .orderBy('token.id')
    .limit(limit)
    .execute()
  return await withUsedBefore(db, 'token', rows)
}

/** Channels, each with its keys that are switched off. */
export async function listExportedChannels(db: Kysely<Schema>, { after, limit }: After) {
  const rows = await db.selectFrom('channel').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
  const ids = rows.map(({ id }) => id)
  const keys =
    ids.length === 0
      ? []
      : await db
          .selectFrom('channel_key')
          .select(['channel_id', 'fingerprint', 'status'])
          .where('channel_id', 'in', ids)
          .execute()
  const withBefore = await withUsedBefore(db, 'channel', rows)
  return withBefore.map((row) => ({ ...row, keysOff: keys.filter(({ channel_id: id }) => id === row.id) }))
}

/** Charges made here through each channel (mq), without usage from before the move; channels without charges are absent. */
export async function sumChargedByChannel(db: Kysely<Schema>): Promise<ReadonlyMap<number, bigint>> {
  const rows = await db
    .selectFrom('usage_daily')
    .select(['channel_id', sql<number | bigint | string>`sum(amount)`.as('amount')])
    .groupBy('channel_id')
    .execute()
  return new Map(rows.map((row) => [row.channel_id, asBigInt(row.amount)]))
}

/** Codes that are not deleted. */
export async function listExportedCodes(db: Kysely<Schema>, { after, limit }: After) {
  return await db
    .selectFrom('redemption')
    .selectAll()
    .where('deleted_time', '=', 0)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function listExportedPasskeys(db: Kysely<Schema>, { after, limit }: After) {
  return await db.selectFrom('passkey').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Log rows, except those from before `clearedBefore` (unix seconds), which are hidden. */
export async function listExportedLogs(
  db: Kysely<Schema>,
  { after, limit, clearedBefore }: After & { readonly clearedBefore: number },
) {
  const rows = await db
    .selectFrom('log')
    .selectAll()
    // PostgreSQL would take a bare parameter for a 32-bit integer.
    .where('id', '>', sql<number>`cast(${after} as bigint)`)
    .where('created_at', '>=', clearedBefore)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, id: asNumber(row.id) }))
}

export interface UsagePlace {
  readonly user_id: number
  readonly day: number
  readonly token_id: number
  readonly channel_id: number
  readonly model: string
}

/** Daily sums of usage from before the move. */
export async function listExportedUsage(
  db: Kysely<Schema>,
  { after, limit }: { readonly after: UsagePlace | undefined; readonly limit: number },
) {
  return await db
    .selectFrom('imported_usage')
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('user_id', 'day', 'token_id', 'channel_id', 'model'),
          '>',
          eb.tuple(
            after?.user_id ?? 0,
            after?.day ?? 0,
            after?.token_id ?? 0,
            after?.channel_id ?? 0,
            after?.model ?? '',
          ),
        ),
      ),
    )
    .orderBy('user_id')
    .orderBy('day')
    .orderBy('token_id')
    .orderBy('channel_id')
    .orderBy('model')
    .limit(limit)
    .execute()
}
