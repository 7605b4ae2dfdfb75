import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { lookUp, partsOf } from '../../statement-sizes.ts'
import { REDEMPTION_STATUS, USER_STATUS } from '../../statuses.ts'
import { fieldDigest, readFieldDigests } from './field-digests.ts'
import { GONE, LEFT_OUT } from './imported.ts'

/** Tables whose rows keep their ids from the source if these are free. */
type KeepsIds = 'user' | 'token' | 'channel' | 'redemption'

/** Rows with higher ids get new ids: with the last 32-bit ids in use, no further row could be added here. */
const KEPT_ID_MAX = 1_000_000_000

/** Which ids are free. On PostgreSQL, the sequence first advances past the highest one, so that no other call gets one of them. */
export async function freeIds(
  trx: Transaction<Schema>,
  engine: 'sqlite' | 'postgres',
  table: KeepsIds,
  wanted: readonly number[],
): Promise<ReadonlySet<number>> {
  const ids = wanted.filter((id) => id <= KEPT_ID_MAX)
  if (ids.length === 0) return new Set()
  if (engine === 'postgres') {
    await sql`select setval(own.name, greatest(nextval(own.name), ${Math.max(...ids)}::bigint))
      from (select pg_get_serial_sequence(${`"${table}"`}, 'id')::regclass as name) as own`.execute(trx)
  }
  const rows = await lookUp(ids, (part) => trx.selectFrom(table).select('id').where('id', 'in', part).execute())
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
  // The rows are of one table, but Kysely's types cannot tell which.
  for (const part of partsOf(kept))
    await trx
      .insertInto<KeepsIds>(table)
      .values(part as never)
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

/** Users who have one of these names, imported or not. */
export async function findNames(
  db: Kysely<Schema>,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: number; readonly role: number }>> {
  const rows = await lookUp(names, (part) =>
    db.selectFrom('user').select(['id', 'username', 'role']).where('username', 'in', part).execute(),
  )
  return new Map(rows.map((row) => [row.username, row]))
}

/** Which of these users, by name, were imported from a source under the names that they have now. */
export async function findOwn(
  db: Kysely<Schema>,
  source: string,
  names: ReadonlyMap<string, { readonly id: number }>,
): Promise<ReadonlySet<number>> {
  const nameOf = new Map([...names].map(([name, { id }]) => [id, name]))
  const rows = await lookUp([...nameOf.keys()], (part) =>
    db
      .selectFrom('imported')
      .select(['target_id', 'fields'])
      .where('source', '=', source)
      .where('kind', '=', 'user')
      .where('target_id', 'in', part)
      .execute(),
  )
  // A user who was renamed here keeps the name. Rows of an older version record nothing about names.
  const isOwn = (id: number, fields: string): boolean => {
    const noted = readFieldDigests(fields)?.get('username')
    return noted === undefined || noted.source === fieldDigest(nameOf.get(id) ?? '')
  }
  return new Set(rows.flatMap((row) => (isOwn(row.target_id, row.fields) ? [row.target_id] : [])))
}

/**
 * Takes names away from users who were imported under them but have different names at the source now: each name goes to the user
 * given with it, or to a new one. Until their own rows are written, the former owners have names like deleted users and count as
 * not yet imported.
 */
export async function releaseNames(
  trx: Transaction<Schema>,
  source: string,
  names: ReadonlyMap<string, number | undefined>,
): Promise<void> {
  const found = await findNames(trx, [...names.keys()])
  const others = new Map([...found].filter(([name, { id }]) => id !== names.get(name)))
  for (const id of await findOwn(trx, source, others)) {
    await trx
      .updateTable('user')
      .set({ username: `deleted_${id}` })
      .where('id', '=', id)
      .execute()
    await trx
      .updateTable('imported')
      .set({ digest: LEFT_OUT })
      .where('source', '=', source)
      .where('kind', '=', 'user')
      .where('target_id', '=', id)
      .where('digest', '<>', GONE)
      .execute()
  }
}

/** Which of these values are already in a unique column, each with its row. */
export async function findTaken(
  db: Kysely<Schema>,
  place: TakenPlace,
  values: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { table, column } = TAKEN_PLACES[place]
  const rows = await lookUp(values, async (part) => {
    const found = await sql<{ value: string; id: number }>`
      select ${sql.ref(column)} as value, id from ${sql.table(table)}
      where ${sql.ref(column)} in (${sql.join([...part])})`.execute(db)
    return found.rows
  })
  return new Map(rows.map((row) => [row.value, row.id]))
}

const TAKEN_PLACES = {
  aff_code: { table: 'user', column: 'aff_code' },
  access_token: { table: 'user', column: 'access_token_hash' },
  token: { table: 'token', column: 'key_hash' },
  redemption: { table: 'redemption', column: 'key_hash' },
} as const
export type TakenPlace = keyof typeof TAKEN_PLACES

/** Which of these tokens have no binding limit. */
export async function findUnlimited(db: Kysely<Schema>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await lookUp(ids, (part) =>
    db.selectFrom('token').select('id').where('id', 'in', part).where('unlimited', '=', 1).execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

export async function updateImportedUser(
  trx: Transaction<Schema>,
  id: number,
  values: Updateable<Schema['user']>,
): Promise<void> {
  await trx.updateTable('user').set(values).where('id', '=', id).where('status', '<>', USER_STATUS.deleted).execute()
}

/** Sets a user's inviter from the source, unless one is already set. */
export async function setInviter(trx: Transaction<Schema>, id: number, inviter: number): Promise<void> {
  await trx.updateTable('user').set({ inviter_id: inviter }).where('id', '=', id).where('inviter_id', '=', 0).execute()
}

/** Ends whichever of these are requested: sessions, mailed reset links, recovery codes of the second step. */
export async function endSignIns(
  trx: Transaction<Schema>,
  userId: number,
  ends: { readonly sessions: boolean; readonly resets: boolean; readonly recoveryCodes: boolean },
): Promise<void> {
  if (ends.sessions) await trx.deleteFrom('session').where('user_id', '=', userId).execute()
  if (ends.resets) await trx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
  if (ends.recoveryCodes) await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
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

/** Which of these codes have already paid here. */
export async function findSpentCodes(db: Kysely<Schema>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await lookUp(ids, (part) =>
    db
      .selectFrom('redemption')
      .select('id')
      .where('id', 'in', part)
      .where('status', '=', REDEMPTION_STATUS.used)
      .where('used_before', '=', 0)
      .execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Updates a code, unless it has paid here: then it stays unchanged. */
export async function updateImportedCode(
  trx: Transaction<Schema>,
  id: number,
  values: Updateable<Schema['redemption']>,
): Promise<void> {
  await trx
    .updateTable('redemption')
    .set(values)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('status', '<>', REDEMPTION_STATUS.used), eb('used_before', '=', 1)]))
    .execute()
}
