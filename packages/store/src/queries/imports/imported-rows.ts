import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { ROLE, TOKEN_STATUS, USER_STATUS } from '../../statuses.ts'

/** Tables whose rows keep the ids that they had at the source, where these are free. */
type KeepsIds = 'user' | 'token' | 'channel' | 'redemption'

/**
 * Which of these ids are free. On PostgreSQL, ids up to the highest are taken out of the table's sequence first, so that no other
 * call is given one of them meanwhile.
 */
export async function freeIds(
  trx: Transaction<Schema>,
  engine: 'sqlite' | 'postgres',
  table: KeepsIds,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  if (engine === 'postgres') {
    await sql`select setval(own.name, greatest(nextval(own.name), ${Math.max(...ids)}::bigint))
      from (select pg_get_serial_sequence(${`"${table}"`}, 'id')::regclass as name) as own`.execute(trx)
  }
  const rows = await trx.selectFrom(table).select('id').where('id', 'in', ids).execute()
  const used = new Set(rows.map((row) => row.id))
  return new Set(ids.filter((id) => !used.has(id)))
}

type NewRow<Table extends KeepsIds> = Insertable<Schema[Table]> & { readonly id?: number }

/** Inserts rows and returns their ids in the same order; a row without an id is given one. */
export async function insertRows<Table extends KeepsIds>(
  trx: Transaction<Schema>,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<readonly number[]> {
  const kept = rows.filter(({ id }) => id !== undefined)
  // The rows of one table; Kysely's types cannot follow which.
  if (kept.length > 0)
    await trx
      .insertInto<KeepsIds>(table)
      .values(kept as never)
      .execute()
  const ids: number[] = []
  for (const row of rows) {
    if (row.id !== undefined) ids.push(row.id)
    else {
      const inserted = await trx
        .insertInto<KeepsIds>(table)
        .values(row as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(inserted.id)
    }
  }
  return ids
}

/** Users that have one of these names, whoever made them. */
export async function findNames(
  db: Kysely<Schema>,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: number; readonly role: number }>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .select(['id', 'username', 'role'])
    .where('username', 'in', [...names])
    .execute()
  return new Map(rows.map((row) => [row.username, row]))
}

/** Which of these values a unique column has already, each with the row that has it. */
export async function findTaken(
  db: Kysely<Schema>,
  place: TakenPlace,
  values: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (values.length === 0) return new Map()
  const { table, column } = TAKEN_PLACES[place]
  const { rows } = await sql<{ value: string; id: number }>`
    select ${sql.ref(column)} as value, id from ${sql.table(table)}
    where ${sql.ref(column)} in (${sql.join([...values])})`.execute(db)
  return new Map(rows.map((row) => [row.value, row.id]))
}

const TAKEN_PLACES = {
  aff_code: { table: 'user', column: 'aff_code' },
  access_token: { table: 'user', column: 'access_token_hash' },
  token: { table: 'token', column: 'key_hash' },
  redemption: { table: 'redemption', column: 'key_hash' },
} as const
export type TakenPlace = keyof typeof TAKEN_PLACES

export async function updateImportedUser(
  trx: Transaction<Schema>,
  id: number,
  values: Updateable<Schema['user']>,
): Promise<void> {
  await trx.updateTable('user').set(values).where('id', '=', id).where('status', '<>', USER_STATUS.deleted).execute()
}

export async function updateImportedToken(
  trx: Transaction<Schema>,
  id: number,
  values: Updateable<Schema['token']>,
): Promise<void> {
  await trx.updateTable('token').set(values).where('id', '=', id).execute()
}

export async function updateImportedChannel(
  trx: Transaction<Schema>,
  id: number,
  values: Updateable<Schema['channel']>,
): Promise<void> {
  await trx.updateTable('channel').set(values).where('id', '=', id).execute()
}

/** A code that has paid here stays as it is, whatever the source says. */
export async function updateImportedCode(
  trx: Transaction<Schema>,
  id: number,
  values: Updateable<Schema['redemption']>,
): Promise<void> {
  await trx
    .updateTable('redemption')
    .set(values)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('status', '<>', 3), eb('used_before', '=', 1)]))
    .execute()
}

/** Disables users that are gone from the source; roots stay. */
export async function disableUsers(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('user')
    .set({ status: USER_STATUS.disabled })
    .where('id', 'in', [...ids])
    .where('status', '=', USER_STATUS.enabled)
    .where('role', '<', ROLE.root)
    .execute()
  await trx
    .deleteFrom('session')
    .where('user_id', 'in', [...ids])
    .execute()
}

/** Disables tokens that are gone from the source: a key that was revoked there must not go on working here. */
export async function disableTokens(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('token')
    .set({ status: TOKEN_STATUS.disabled })
    .where('id', 'in', [...ids])
    .execute()
}
