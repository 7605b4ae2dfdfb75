import { isUtf8 } from 'node:buffer'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../column-types.ts'
import type { Schema } from '../schema/schema.ts'
import { type RowText, rowTextOf, type RowValue, rowValues } from './row-text.ts'
import type { TableShape } from './table-shape.ts'

const PAGE = 1_000
const CURSOR = sql.id('copied_rows')

/** The connection that rows are read from; nothing else uses it meanwhile. */
export interface RowSource {
  readonly engine: Engine
  readonly db: Kysely<Schema>
}

/**
 * The rows of a table in the order of its key, a page at a time. On SQLite, rows before the latest page may be written during the
 * reading. On PostgreSQL the whole table is read as it was at the beginning; text keys are sorted explicitly there, because indexes
 * have the order of the database's language.
 */
export function readRows(source: RowSource, shape: TableShape): AsyncGenerator<readonly RowText[]> {
  return source.engine === 'sqlite' ? readByKey(source.db, shape) : readByCursor(source.db, shape)
}

async function* readByKey(db: Kysely<Schema>, shape: TableShape): AsyncGenerator<readonly RowText[]> {
  const key = sql.join(shape.key.map(({ name }) => sql.ref(name)))
  const row = rowTextOf(shape, 'sqlite')
  let after = sql`true`
  for (;;) {
    const page = sql`from ${sql.table(shape.table)} where ${after} order by ${key} limit ${sql.lit(PAGE)}`
    const read = await sql<{ row: RowText }>`select ${row} as row ${page}`.execute(db)
    const rows = await withoutReplacements(
      db,
      shape,
      page,
      read.rows.map((each) => each.row),
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = sql`(${key}) > (${sql.join(rowValues(last).slice(0, shape.key.length).map(sqliteKey))})`
  }
}

/** Replaces bytes that are not UTF-8 when a text is read. A text may also contain it as an ordinary character. */
const REPLACEMENT = '\uFFFD'

/** The rows of a page, in which texts that are not UTF-8 are replaced by their bytes. */
async function withoutReplacements(
  db: Kysely<Schema>,
  { columns }: TableShape,
  page: RawBuilder<unknown>,
  rows: readonly RowText[],
): Promise<readonly RowText[]> {
  if (!rows.some((row) => row.includes(REPLACEMENT))) return rows
  const bytes = columns.map(({ name }) => {
    const column = sql.ref(name)
    return sql`case typeof(${column}) when 'text' then hex(cast(${column} as blob)) end`
  })
  const read = await sql<{ bytes: string }>`select json_array(${sql.join(bytes)}) as bytes ${page}`.execute(db)
  return rows.map((row, at) => {
    const texts = JSON.parse(read.rows[at]?.bytes ?? '[]') as readonly (string | null)[]
    if (texts.every((hex) => hex === null || isUtf8(Buffer.from(hex, 'hex')))) return row
    const values = rowValues(row).map((value, place): RowValue => {
      const hex = texts[place] ?? null
      return hex === null || isUtf8(Buffer.from(hex, 'hex')) ? value : { bytes: hex }
    })
    return JSON.stringify(values)
  })
}

function sqliteKey(value: RowValue): RawBuilder<unknown> {
  return value !== null && typeof value === 'object'
    ? sql`cast(${sql.raw(`x'${value.bytes}'`)} as text)`
    : sql`${value}`
}

/** The cursor outlives its statement's transaction, so that rows can be committed on the same connection meanwhile. */
async function* readByCursor(db: Kysely<Schema>, shape: TableShape): AsyncGenerator<readonly RowText[]> {
  await sql`declare ${CURSOR} no scroll cursor with hold for
    select ${rowTextOf(shape, 'postgres')} as row from ${sql.table(shape.table)} order by ${orderOf(shape)}`.execute(db)
  try {
    for (;;) {
      const { rows } = await sql<{ row: RowText }>`fetch forward ${sql.lit(PAGE)} from ${CURSOR}`.execute(db)
      if (rows.length > 0) yield rows.map((each) => each.row)
      if (rows.length < PAGE) return
    }
  } finally {
    // After a failure there may be no cursor, or no connection.
    await sql`close ${CURSOR}`.execute(db).catch(() => {})
  }
}

function orderOf({ key }: TableShape): RawBuilder<unknown> {
  return sql.join(key.map(({ name, type }) => (type === 'text' ? sql`${sql.ref(name)} collate "C"` : sql.ref(name))))
}

/** The same pages, each requested while the previous one is being processed. */
export async function* readAhead<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = pages.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done === true) return
      next = pages.next()
      // The reader sees the failure when it gets to that page.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await pages.return(undefined)
  }
}
