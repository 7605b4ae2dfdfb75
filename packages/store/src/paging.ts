import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { asNumber } from './aggregates.ts'

/** Largest page, as in the family. */
const PAGE_SIZE_MAX = 100
/** A list is never paged deeper than this; offset paging gets slower with every page. */
const OFFSET_MAX = 1_000_000
/** Longer search texts are refused before they get this far. */
const KEYWORD_MAX = 100

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Turns a page number (from 0) and size into limit and offset, within the stated bounds. */
export function pageOf({ p, size }: { readonly p: number; readonly size: number }): Page {
  const limit = Math.min(PAGE_SIZE_MAX, Math.max(1, Math.trunc(size)))
  return { limit, offset: Math.min(OFFSET_MAX, Math.max(0, Math.trunc(p)) * limit) }
}

/** One page of `rows`, and the number of all rows, counted by `found`: the same query without order, columns and their joins. */
export async function readPage<Tables, Table extends keyof Tables, Row, Found, In extends keyof Found>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  found: SelectQueryBuilder<Found, In, object>,
  { limit, offset }: Page,
) {
  const [page, total] = await Promise.all([rows.limit(limit).offset(offset).execute(), countRows(found)])
  return { rows: page, total }
}

export async function countRows<Tables, Table extends keyof Tables>(
  found: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const count = found.select((eb) => eb.fn.countAll().as('total')).$castTo<{ readonly total: number | bigint }>()
  return asNumber((await count.executeTakeFirstOrThrow()).total)
}

/** A column to sort by. It comes from code, never from input (class S6). */
export interface Sorting<Column extends string> {
  readonly column: Column
  readonly direction: 'asc' | 'desc'
}

/**
 * The caller's `sort` and `order`, checked against an allow list from wire name to column. An unknown name means the fallback and a
 * missing order means descending, as in the family. Add the id as second column, or rows with equal values jump between pages.
 */
export function sortingOf<Column extends string>(
  allowed: Readonly<Record<string, Column>>,
  requested: { readonly sort: string; readonly order: 'asc' | 'desc' | '' },
  fallback: Sorting<Column>,
): Sorting<Column> {
  if (!Object.hasOwn(allowed, requested.sort)) return fallback
  const column = allowed[requested.sort]
  return column === undefined ? fallback : { column, direction: requested.order === 'asc' ? 'asc' : 'desc' }
}

/** Text columns by which lists are sorted. */
const TEXTS: readonly string[] = [
  'name',
  'token.name',
  'redemption.name',
  'user.username',
  'user.email',
  'user.display_name',
]
/** Columns of the account, which a row might not have yet. */
const OF_ACCOUNT = /^account\./

/**
 * The sort expression of a column, with which every engine orders rows alike. Text is ordered by its bytes, whatever the language
 * of a PostgreSQL database. A row without an account counts as the 0 that it shows; PostgreSQL would put it last and SQLite first.
 */
export function sortValue(column: string): RawBuilder<string | number | bigint> {
  if (OF_ACCOUNT.test(column)) return sql`coalesce(${sql.ref(column)}, 0)`
  return TEXTS.includes(column) ? byBytes(sql.ref(column)) : sql.ref(column)
}

/** `binary` is SQLite's built-in collation; a migration creates one of the same name and order on PostgreSQL. */
export function byBytes(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`${text} collate "binary"`
}

/** Escapes `%`, `_` and `\` for a LIKE pattern with `escape '\'` (class S7). NUL is dropped: no engine stores it. */
function escapeLike(text: string): string {
  return text.replaceAll('\0', '').replace(/[\\%_]/g, (character) => `\\${character}`)
}

/** The column begins with `keyword`, ignoring case (SQLite: A to Z only). `column` comes from code. */
export function startsWith(column: string, keyword: string): RawBuilder<SqlBool> {
  return like(column, `${escapeLike(bounded(keyword))}%`)
}

/**
 * The column contains `keyword`. This reads every row that the other conditions leave, so make sure that they narrow the rows down.
 */
export function contains(column: string, keyword: string): RawBuilder<SqlBool> {
  return like(column, `%${escapeLike(bounded(keyword))}%`)
}

function like(column: string, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`
}

function bounded(keyword: string): string {
  if (keyword.length > KEYWORD_MAX) throw new RangeError(`search text of ${keyword.length} characters`)
  return keyword
}
