import type { Kysely } from 'kysely'
import { type Page, readPage, type Sorting, sortValue, startsWith } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { filled, SHOWN_COLUMNS, shownStatus, type TokenRow } from './tokens.ts'

/** A token of any user; its key is never read. */
export type AnyTokenRow = Omit<TokenRow, 'keySealed'> & { readonly userId: number; readonly username: string }

export const ANY_TOKEN_SORT_COLUMNS = {
  id: 'token.id',
  user_id: 'token.user_id',
  username: 'user.username',
  name: 'token.name',
  status: 'status',
  expired_time: 'token.expired_time',
  remain_quota: 'account.posted',
  used_quota: 'account.spent',
  created_time: 'token.created_time',
  created_at: 'token.created_time',
  accessed_time: 'account.last_ms',
} as const
export type AnyTokenSortColumn = (typeof ANY_TOKEN_SORT_COLUMNS)[keyof typeof ANY_TOKEN_SORT_COLUMNS]

export interface AnyTokenFilter {
  readonly userId?: number | undefined
  /** As shown: 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  readonly status?: number | undefined
  /** Start of the token's name or of its owner's; empty finds all. */
  readonly keyword: string
}

/** One page of everyone's tokens. `now` in unix seconds, for the status. */
export async function listAllTokens(
  db: Kysely<Schema>,
  filter: AnyTokenFilter,
  sorting: Sorting<AnyTokenSortColumn>,
  page: Page,
  now: number,
): Promise<{ readonly rows: readonly AnyTokenRow[]; readonly total: number }> {
  const { userId, status, keyword } = filter
  const found = joined(db)
    .$if(userId !== undefined, (tokens) => tokens.where('token.user_id', '=', userId ?? 0))
    .$if(status !== undefined, (tokens) => tokens.where(shownStatus(now), '=', status ?? 0))
    .$if(keyword !== '', (tokens) =>
      tokens.where((eb) => eb.or([startsWith('token.name', keyword), startsWith('user.username', keyword)])),
    )
  const sorted = withColumns(found)
    .orderBy(sorting.column === 'status' ? shownStatus(now) : sortValue(sorting.column), sorting.direction)
    .orderBy('token.id', 'desc')
  const { rows, total } = await readPage(sorted, found, page)
  return { rows: await filled(db, rows), total }
}

export async function findAnyToken(db: Kysely<Schema>, id: number): Promise<AnyTokenRow | undefined> {
  const row = await withColumns(joined(db).where('token.id', '=', id)).executeTakeFirst()
  return row === undefined ? undefined : (await filled(db, [row]))[0]
}

function joined(db: Kysely<Schema>) {
  return db
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'token').onRef('account.owner_id', '=', 'token.id'))
}

function withColumns(tokens: ReturnType<typeof joined>) {
  return tokens.select([...SHOWN_COLUMNS, 'token.user_id as userId', 'user.username'])
}
