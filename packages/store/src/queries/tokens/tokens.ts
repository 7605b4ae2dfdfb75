import {
  columnsOfSettings,
  SELECTED_SETTINGS,
  type SelectedSettings,
  settingsOfRow,
  type TokenColumns,
  type TokenSettings,
} from '@sluice/contract/fields/token'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { countRows, type Page, readPage, type Sorting, sortValue, startsWith } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { bumpVersion } from '../../snapshots/versions.ts'
import { TOKEN_STATUS } from '../../statuses.ts'
import { type UsedBefore, withUsedBefore } from '../accounts/used-before.ts'
import { type BudgetRow, withBudgets } from '../ledger/budgets.ts'

/** A token with what is left of its limit. Amounts are mq. */
export interface TokenRow extends TokenSettings {
  readonly id: number
  /** Sealed for the purpose `token_key`. */
  readonly keySealed: string
  /** 1 enabled, 2 disabled. */
  readonly status: number
  /** Unix seconds. */
  readonly createdTime: number
  readonly remain: bigint
  readonly spent: bigint
  /** Unix milliseconds of the last charge; 0 never. */
  readonly lastMs: number
  readonly budgets: readonly BudgetRow[]
  readonly before: UsedBefore | null
}

/** Wire names of the sort columns. Only one owner's tokens are ever sorted, so no index is needed beyond the owner's. */
export const TOKEN_SORT_COLUMNS = {
  id: 'token.id',
  name: 'token.name',
  status: 'status',
  expired_time: 'token.expired_time',
  remain_quota: 'account.posted',
  used_quota: 'account.spent',
  created_time: 'token.created_time',
  accessed_time: 'account.last_ms',
  created_at: 'token.created_time',
} as const
export type TokenSortColumn = (typeof TOKEN_SORT_COLUMNS)[keyof typeof TOKEN_SORT_COLUMNS]

/** One page of a user's tokens whose name begins with `keyword`; empty finds all. `now` in unix seconds, for sorting by status. */
export async function listTokens(
  db: Kysely<Schema>,
  userId: number,
  keyword: string,
  sorting: Sorting<TokenSortColumn>,
  page: Page,
  now: number,
): Promise<{ readonly rows: readonly TokenRow[]; readonly total: number }> {
  const own = ownTokens(db, userId).$if(keyword !== '', (tokens) => tokens.where(startsWith('token.name', keyword)))
  const sorted = withLimit(own)
    .orderBy(sorting.column === 'status' ? shownStatus(now) : sortValue(sorting.column), sorting.direction)
    .orderBy('token.id', 'desc')
  const { rows, total } = await readPage(sorted, own, page)
  return { rows: await filled(db, rows), total }
}

/** A token of this user; undefined when it belongs to another (class S11). */
export async function findToken(db: Kysely<Schema>, userId: number, id: number): Promise<TokenRow | undefined> {
  const row = await withLimit(ownTokens(db, userId).where('token.id', '=', id)).executeTakeFirst()
  return row === undefined ? undefined : (await filled(db, [row]))[0]
}

/** Name of any user's token; undefined when it is gone. */
export async function findTokenName(db: Kysely<Schema>, id: number): Promise<string | undefined> {
  return (await db.selectFrom('token').select('name').where('id', '=', id).executeTakeFirst())?.name
}

export async function countTokens(db: Kysely<Schema>, userId: number): Promise<number> {
  return await countRows(ownTokens(db, userId))
}

export interface NewToken extends TokenSettings {
  /** SHA-256 of the bare key, hex. */
  readonly keyHash: string
  readonly keySealed: string
  /** Unix seconds. */
  readonly createdTime: number
}

export async function insertToken(db: Kysely<Schema>, userId: number, token: NewToken): Promise<number> {
  return await db.transaction().execute((trx) => addToken(trx, userId, token))
}

export async function addToken(trx: Transaction<Schema>, userId: number, token: NewToken): Promise<number> {
  const { id } = await trx
    .insertInto('token')
    .values({
      user_id: userId,
      key_hash: token.keyHash,
      key_sealed: token.keySealed,
      status: TOKEN_STATUS.enabled,
      created_time: token.createdTime,
      ...columnsOfSettings(token),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await bumpVersion(trx, 'tokens')
  return id
}

/** False when the user has no such token. An undefined `status` leaves it unchanged. */
export async function updateToken(
  db: Kysely<Schema>,
  userId: number,
  id: number,
  settings: TokenSettings,
  status: number | undefined,
): Promise<boolean> {
  return await changeToken(db, userId, id, { ...columnsOfSettings(settings), status })
}

/** False when the user has no such token. */
export async function setTokenStatus(db: Kysely<Schema>, userId: number, id: number, status: number): Promise<boolean> {
  return await changeToken(db, userId, id, { status })
}

/** False when the user has no such token. Its limit account stays, because earlier charges refer to it. */
export async function deleteToken(db: Kysely<Schema>, userId: number, id: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('token')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await bumpVersion(trx, 'tokens')
    return true
  })
}

async function changeToken(
  db: Kysely<Schema>,
  userId: number,
  id: number,
  values: Partial<TokenColumns> & { readonly status?: number | undefined },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('token')
      .set(values)
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await bumpVersion(trx, 'tokens')
    return true
  })
}

/** Shown status: disabled, otherwise expired, exhausted, enabled, in this order; the rule of `shownStatus` in the API. */
export function shownStatus(now: number): RawBuilder<number> {
  return sql<number>`case
    when token.status = ${sql.lit(TOKEN_STATUS.disabled)} then ${sql.lit(TOKEN_STATUS.disabled)}
    when token.expired_time > 0 and token.expired_time <= ${now} then ${sql.lit(TOKEN_STATUS.expired)}
    when token.unlimited = 0 and coalesce(account.posted, 0) <= 0 then ${sql.lit(TOKEN_STATUS.exhausted)}
    else ${sql.lit(TOKEN_STATUS.enabled)} end`
}

function ownTokens(db: Kysely<Schema>, userId: number) {
  return db.selectFrom('token').where('token.user_id', '=', userId)
}

function withLimit(tokens: ReturnType<typeof ownTokens>) {
  return tokens
    .leftJoin('account', (join) => join.on('account.kind', '=', 'token').onRef('account.owner_id', '=', 'token.id'))
    .select([...SHOWN_COLUMNS, 'token.key_sealed as keySealed'])
}

/** Columns of a token joined with its account: all that are shown, so not the key. */
export const SHOWN_COLUMNS = [
  ...SELECTED_SETTINGS,
  'token.id',
  'token.status',
  'token.created_time as createdTime',
  'account.posted as remain',
  'account.spent',
  'account.last_ms as lastMs',
  'account.id as account',
  'account.budgeted',
] as const

interface Shown extends SelectedSettings {
  readonly id: number
  readonly remain: bigint | null
  readonly spent: bigint | null
  readonly lastMs: number | null
  readonly account: number | null
  readonly budgeted: number | null
}

/** Tokens with their budgets and their usage from before an import. A token that was never charged has no account yet. */
export async function filled<Row extends Shown>(db: Kysely<Schema>, rows: readonly Row[]) {
  return (await withUsedBefore(db, 'token', await withBudgets(db, rows))).map((row) => ({
    ...row,
    ...settingsOfRow(row),
    remain: row.remain ?? 0n,
    spent: row.spent ?? 0n,
    lastMs: row.lastMs ?? 0,
  }))
}
