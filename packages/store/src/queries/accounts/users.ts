import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '../../in-transaction.ts'
import { type Page, readPage, type Sorting, sortValue, startsWith } from '../../paging.ts'
import { sameEmail } from '../../same-email.ts'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { ROLE, USER_STATUS } from '../../statuses.ts'
import { isUniqueViolation } from '../../unique-violation.ts'
import { noteRenewedPassword } from '../imports/field-digests.ts'
import { type BudgetRow, withBudgets } from '../ledger/budgets.ts'
import { type UsedBefore, withUsedBefore } from './used-before.ts'

/** The settings that administrators make for a user, besides the password. */
interface UserSettings {
  readonly username: string
  readonly displayName: string
  readonly role: number
  /** 1 enabled, 2 disabled, 3 deleted. */
  readonly status: number
  readonly email: string
  readonly group: string
}

/** A user with their balance. Amounts are mq; a user without an account has none. */
export interface UserRow extends UserSettings {
  readonly id: number
  /** Unix seconds. */
  readonly createdTime: number
  readonly posted: bigint
  readonly spent: bigint
  readonly requests: number
  readonly budgets: readonly BudgetRow[]
  readonly before: UsedBefore | null
  /** Display name of the provider account that signs in as this user; empty when there is none. */
  readonly githubId: string
  readonly larkId: string
  readonly oidcId: string
  readonly wechatId: string
}

export interface Credentials {
  readonly id: number
  readonly username: string
  readonly displayName: string
  readonly passwordHash: string
  readonly role: number
  readonly status: number
}

/** Wire names of the sort columns. Balances live in another table: sorting by them reads all users. */
export const USER_SORT_COLUMNS = {
  id: 'user.id',
  username: 'user.username',
  email: 'user.email',
  display_name: 'user.display_name',
  role: 'user.role',
  status: 'user.status',
  created_time: 'user.created_time',
  created_at: 'user.created_time',
  quota: 'account.posted',
  used_quota: 'account.spent',
  request_count: 'account.requests',
} as const
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[keyof typeof USER_SORT_COLUMNS]

/** One page of users whose name, display name or email begins with `keyword`, or whose id it is; empty finds all. */
export async function listUsers(
  db: Kysely<Schema>,
  keyword: string,
  sorting: Sorting<UserSortColumn>,
  page: Page,
): Promise<{ readonly rows: readonly UserRow[]; readonly total: number }> {
  const found = matching(db, keyword)
  const sorted = withBalance(found).orderBy(sortValue(sorting.column), sorting.direction).orderBy('user.id', 'desc')
  const { rows, total } = await readPage(sorted, found, page)
  return { rows: await filled(db, rows), total }
}

export async function findUser(db: Kysely<Schema>, id: number): Promise<UserRow | undefined> {
  const row = await withBalance(undeleted(db).where('user.id', '=', id)).executeTakeFirst()
  return row === undefined ? undefined : (await filled(db, [row]))[0]
}

/** Finds a user by username, otherwise by an email of exactly one user. Both are looked up, so a miss takes as long as a hit. */
export async function findCredentials(db: Kysely<Schema>, login: string): Promise<Credentials | undefined> {
  const rows = await undeleted(db)
    .select([
      'user.id',
      'user.username',
      'user.display_name as displayName',
      'user.password_hash as passwordHash',
      'user.role',
      'user.status',
    ])
    .where((eb) => eb.or([eb('username', '=', login), sameEmail(login)]))
    .orderBy((eb) => eb.case().when('username', '=', login).then(0).else(1).end())
    .limit(2)
    .execute()
  return rows.find((row) => row.username === login) ?? (rows.length === 1 ? rows[0] : undefined)
}

export interface NewUser extends Omit<UserSettings, 'status'> {
  readonly passwordHash: string
  /** Unix seconds. */
  readonly createdTime: number
}

export async function insertUser(db: Kysely<Schema>, user: NewUser): Promise<{ readonly id: number } | 'name_taken'> {
  return await orNameTaken(db.insertInto('user').values(newUserColumns(user)).returning('id').executeTakeFirstOrThrow())
}

/** The columns of a new user, who is enabled. */
export function newUserColumns({
  username,
  passwordHash,
  displayName,
  role,
  email,
  group,
  createdTime,
}: NewUser): Insertable<Schema['user']> {
  return {
    username,
    password_hash: passwordHash,
    display_name: displayName,
    role,
    status: USER_STATUS.enabled,
    email,
    group_name: group,
    created_time: createdTime,
  }
}

/** Absent fields stay unchanged. */
export type UserPatch = {
  readonly [Name in keyof UserSettings | 'passwordHash']?: (UserSettings & NewUser)[Name] | undefined
}

/**
 * Changes a user who is not deleted and, with `below`, still has a role below it: check and change are one statement. A new
 * password, role or status ends every session in the same transaction; a new password also ends the access token, and a new address
 * the reset link that was mailed to the old one. `last_root`: no root would be left. `undone`: `alongside`, which runs in the same
 * transaction, refused. Neither changes anything.
 */
export async function updateUser(
  db: Kysely<Schema>,
  id: number,
  patch: UserPatch,
  below: number | undefined,
  alongside: (trx: Transaction<Schema>) => Promise<boolean> = async () => true,
): Promise<'updated' | 'not_found' | 'name_taken' | 'last_root' | 'undone'> {
  const changesRank = patch.role !== undefined || patch.status !== undefined
  return await orNameTaken(
    db.transaction().execute(async (trx) => {
      const roots = changesRank ? await lockRoots(trx) : 0n
      const { numUpdatedRows } = await trx
        .updateTable('user')
        .set({
          // Keeps the statement valid when nothing changes.
          id: sql`id`,
          username: patch.username,
          password_hash: patch.passwordHash,
          access_token_hash: patch.passwordHash === undefined ? undefined : null,
          display_name: patch.displayName,
          role: patch.role,
          status: patch.status,
          email: patch.email,
          group_name: patch.group,
        })
        .where('id', '=', id)
        .where('status', '<>', USER_STATUS.deleted)
        .$if(below !== undefined, (update) => update.where('role', '<', below ?? 0))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return 'not_found'
      if (roots > 0n && (await lockRoots(trx)) === 0n) throw new Undo('last_root')
      if (!(await alongside(trx))) throw new Undo('undone')
      if (patch.email !== undefined) await trx.deleteFrom('password_reset').where('user_id', '=', id).execute()
      if (patch.passwordHash !== undefined || changesRank) {
        await trx.deleteFrom('session').where('user_id', '=', id).execute()
      }
      await bumpVersion(trx, 'users')
      return 'updated'
    }),
  ).catch((error: unknown) => {
    if (error instanceof Undo) return error.reason
    throw error
  })
}

/** Thrown to undo the transaction. */
class Undo extends Error {
  readonly reason: 'last_root' | 'undone'

  constructor(reason: Undo['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** Counts roots by an update that changes nothing, so that two roots who demote each other have to take turns. */
async function lockRoots(trx: Kysely<Schema>): Promise<bigint> {
  const { numUpdatedRows } = await trx
    .updateTable('user')
    .set({ id: sql`id` })
    .where('role', '=', ROLE.root)
    .where('status', '=', USER_STATUS.enabled)
    .executeTakeFirst()
  return numUpdatedRows
}

/**
 * Marks a user with a role below `below` as deleted: name and email become free, and all credentials are removed. The row stays for
 * the ledger; gifts that were promised to the user, or that await a charge of the user, end.
 */
export async function deleteUser(db: Kysely<Schema>, id: number, below: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('user')
      .set({
        status: USER_STATUS.deleted,
        username: `deleted_${id}`,
        email: '',
        password_hash: '',
        access_token_hash: null,
        totp_sealed: null,
      })
      .where('id', '=', id)
      .where('status', '<>', USER_STATUS.deleted)
      .where('role', '<', below)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    for (const table of PROOFS) await trx.deleteFrom(table).where('user_id', '=', id).execute()
    await trx
      .deleteFrom('pending_gift')
      .where((eb) => eb.or([eb('user_id', '=', id), eb('awaits_user', '=', id)]))
      .execute()
    await bumpVersion(trx, 'users')
    await bumpVersion(trx, 'tokens')
    return true
  })
}

/** Tables of the credentials that a user signs in or calls with. */
const PROOFS = ['session', 'token', 'recovery_code', 'password_reset', 'passkey', 'identity', 'own_key'] as const

/** The hash that a user's password is checked against; empty when the account has no password. */
export async function findPasswordHash(db: Kysely<Schema>, id: number): Promise<string> {
  const row = await undeleted(db).select('user.password_hash as hash').where('user.id', '=', id).executeTakeFirst()
  return row?.hash ?? ''
}

export async function findFirstRoot(
  db: Kysely<Schema>,
): Promise<{ readonly id: number; readonly passwordHash: string } | undefined> {
  return await db
    .selectFrom('user')
    .select(['id', 'password_hash as passwordHash'])
    .where('role', '=', ROLE.root)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Replaces a hash by another of the same password, unless it was replaced meanwhile. The user stays signed in everywhere. */
export async function replacePasswordHash(db: Kysely<Schema>, id: number, from: string, to: string): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('user')
      .set({ password_hash: to })
      .where('id', '=', id)
      .where('password_hash', '=', from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (from !== '') await noteRenewedPassword(trx, id, from, to)
    return true
  })
}

export async function findUserId(db: Kysely<Schema>, username: string): Promise<number | undefined> {
  return (await undeleted(db).select('user.id').where('username', '=', username).executeTakeFirst())?.id
}

/** A group that has users but is not among `groups`. */
export async function findGroupBeyond(db: Kysely<Schema>, groups: readonly string[]): Promise<string | undefined> {
  const row = await undeleted(db)
    .select('user.group_name')
    .where('user.group_name', 'not in', [...groups])
    .limit(1)
    .executeTakeFirst()
  return row?.group_name
}

/** Names for a selector, sorted by name; at most `limit`. */
export async function listUserNames(db: Kysely<Schema>, limit: number) {
  return await undeleted(db)
    .select(['user.id', 'user.username', 'user.display_name'])
    .orderBy(sortValue('user.username'))
    .limit(limit)
    .execute()
}

/** True when there is no user at all, not even a deleted one. */
export async function hasNoUsers(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined
}

function undeleted(db: Kysely<Schema>) {
  return db.selectFrom('user').where('user.status', '<>', USER_STATUS.deleted)
}

function matching(db: Kysely<Schema>, keyword: string) {
  const users = undeleted(db)
  if (keyword === '') return users
  const id = /^\d{1,9}$/.test(keyword) ? Number(keyword) : 0
  return users.where((eb) =>
    eb.or([
      eb('user.id', '=', id),
      startsWith('user.username', keyword),
      startsWith('user.display_name', keyword),
      startsWith('user.email', keyword),
    ]),
  )
}

function withBalance(users: ReturnType<typeof undeleted>) {
  return users
    .leftJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
    .select([
      'user.id',
      'user.username',
      'user.display_name as displayName',
      'user.role',
      'user.status',
      'user.email',
      'user.group_name as group',
      'user.created_time as createdTime',
      'account.posted',
      'account.spent',
      'account.requests',
      'account.id as account',
      'account.budgeted',
    ])
}

type Joined = Awaited<ReturnType<ReturnType<typeof withBalance>['executeTakeFirstOrThrow']>>

/** Reads identities and budgets per page: as query columns they would be looked up for every user before the page is cut. */
async function filled(db: Kysely<Schema>, rows: readonly Joined[]): Promise<readonly UserRow[]> {
  const ids = rows.map(({ id }) => id)
  const [labels, budgeted] = await Promise.all([
    identityLabels(db, ids),
    withBudgets(db, rows).then((found) => withUsedBefore(db, 'user', found)),
  ])
  return budgeted.map((row) => ({
    ...row,
    posted: row.posted ?? 0n,
    spent: row.spent ?? 0n,
    requests: row.requests ?? 0,
    githubId: labels.get(`${row.id} github`) ?? '',
    larkId: labels.get(`${row.id} lark`) ?? '',
    oidcId: labels.get(`${row.id} oidc`) ?? '',
    wechatId: labels.get(`${row.id} wechat`) ?? '',
  }))
}

/** Display names of users' accounts at providers, by `<user id> <provider>`. */
async function identityLabels(db: Kysely<Schema>, userIds: readonly number[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('identity')
    .select(['user_id', 'provider', 'label'])
    .where('user_id', 'in', [...userIds])
    .execute()
  return new Map(rows.map(({ user_id: id, provider, label }) => [`${id} ${provider}`, label]))
}

/** A deleted user's name is `deleted_<id>`; the server refuses such names, so it cannot be taken. */
async function orNameTaken<T>(change: Promise<T>): Promise<T | 'name_taken'> {
  try {
    return await change
  } catch (error) {
    if (isUniqueViolation(error)) return 'name_taken'
    throw error
  }
}
