import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../column-types.ts'
import type { Schema } from '../schema/schema.ts'
import { type RowText, rowTextOf, rowValues } from './row-text.ts'
import type { TableShape } from './table-shape.ts'

/** Rows in one answer of the database. */
const PAGE = 1_000
const CURSOR = sql.id('copied_rows')

/** Where rows are read: one connection, which nothing else uses meanwhile. */
export interface RowSource {
  readonly engine: Engine
  readonly db: Kysely<Schema>
}

/**
 * The rows of a table in the order of its key, a page at a time. On SQLite rows before the latest page may be written while it is
 * read. On PostgreSQL all of it is as it was at the beginning; texts of keys are sorted there, because indexes have the order of
 * the database's language.
 */
export function readRows(source: RowSource, shape: TableShape): AsyncGenerator<readonly RowText[]> {
  return source.engine === 'sqlite' ? readByKey(source.db, shape) : readByCursor(source.db, shape)
}

async function* readByKey(db: Kysely<Schema>, shape: TableShape): AsyncGenerator<readonly RowText[]> {
  const key = sql.join(shape.key.map(({ name }) => sql.ref(name)))
  const row = rowTextOf(shape, 'sqlite')
  let after = sql`true`
  for (;;) {
    const { rows } = await sql<{ row: RowText }>`
      select ${row} as row from ${sql.table(shape.table)} where ${after} order by ${key} limit ${sql.lit(PAGE)}`.execute(
      db,
    )
    if (rows.length > 0) yield rows.map((each) => each.row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = sql`(${key}) > (${sql.join(rowValues(last.row).slice(0, shape.key.length))})`
  }
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

/** The same pages, each asked for while the one before it is worked on. */
export async function* readAhead<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = pages.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done === true) return
      next = pages.next()
      // Its failure reaches the reader when it comes to that page.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await pages.return(undefined)
  }
}
