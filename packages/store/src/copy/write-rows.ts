import { type RawBuilder, sql } from 'kysely'
import type { SqliteDatabase } from '../database.ts'
import type { ProgramHost } from '../sqlite/host.ts'
import type { RowSource } from './read-rows.ts'
import { isDamaged, type RowText, type RowValue, rowValues } from './row-text.ts'
import type { Column, TableShape } from './table-shape.ts'

export interface RefusedRow {
  readonly table: string
  /** Values of its key. */
  readonly key: string
  /** Empty when the whole row is refused. */
  readonly column: string
  /** The problem, as the end of a sentence: "has the character U+0000, which PostgreSQL cannot store". */
  readonly problem: string
}

/** The connection to which rows are written, one statement at a time, each committed separately. Nothing else may write there. */
export interface RowTarget extends RowSource {
  /** Runs `insert-rows-program.ts`; only on SQLite. */
  readonly inserts: ProgramHost | undefined
}

/** Adds rows, replacing those with the same keys. Returns the first row that the target cannot hold; others may be written. */
export async function putRows(
  target: RowTarget,
  shape: TableShape,
  rows: readonly RowText[],
): Promise<RefusedRow | undefined> {
  if (rows.length === 0) return undefined
  const damaged = rows.find(isDamaged)
  if (damaged !== undefined) return refusedRow(shape, damaged, '')
  if (target.inserts !== undefined) {
    await target.inserts.call('insert', [shape.table, sqliteInsert(shape, target), rows])
    return undefined
  }
  try {
    await insertUntriggered(target, shape, rows)
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    return await firstRefused(target, shape, rows)
  }
}

/**
 * The sums that triggers maintain are copied like other rows, so the triggers are off; for one transaction only, so that they are
 * on again whatever happens to this process.
 */
async function insertUntriggered({ db }: RowSource, shape: TableShape, rows: readonly RowText[]): Promise<void> {
  const insert = postgresInsert(shape, rows)
  if (!shape.hasTriggers) {
    await insert.execute(db)
    return
  }
  const table = sql.table(shape.table)
  await sql`begin`.execute(db)
  try {
    await sql`alter table ${table} disable trigger user`.execute(db)
    await insert.execute(db)
    await sql`alter table ${table} enable trigger user`.execute(db)
    await sql`commit`.execute(db)
  } catch (error) {
    // The connection might be gone, and its transaction with it.
    await sql`rollback`.execute(db).catch(() => {})
    throw error
  }
}

export async function removeRows(target: RowTarget, shape: TableShape, rows: readonly RowText[]): Promise<void> {
  if (rows.length === 0) return
  await sql`delete from ${sql.table(shape.table)} where ${isKeyOf(shape, rows, target)}`.execute(target.db)
}

/**
 * Clears the unique values of rows that are about to be replaced: they may belong to other rows afterwards. Rows of this table
 * cannot be removed first, because others refer to them.
 */
export async function clearUniques(target: RowTarget, shape: TableShape, rows: readonly RowText[]): Promise<void> {
  if (rows.length === 0 || shape.uniques.length === 0) return
  const texts = shape.columns.filter(
    ({ name, type }) => type === 'text' && shape.uniques.some((unique) => unique.includes(name)),
  )
  const key = sql.join(
    shape.key.map(({ name }) => sql`cast(${sql.ref(name)} as text)`),
    sql` || ' ' || `,
  )
  const values = texts.map(({ name }) => sql`${sql.ref(name)} = 'being moved: ' || ${key}`)
  await sql`update ${sql.table(shape.table)} set ${sql.join(values)} where ${isKeyOf(shape, rows, target)}`.execute(
    target.db,
  )
}

function isKeyOf({ key }: TableShape, rows: readonly RowText[], { engine }: RowSource): RawBuilder<boolean> {
  const names = sql.join(key.map(({ name }) => sql.ref(name)))
  const keys = JSON.stringify(rows.map((row) => rowValues(row).slice(0, key.length)))
  const wanted = sql.join(key.map((column, at) => valueAt(column, at, engine)))
  return engine === 'sqlite'
    ? sql`(${names}) in (select ${wanted} from json_each(${keys}) as row)`
    : sql`(${names}) in (select ${wanted} from jsonb_array_elements(${keys}::jsonb) as row(value))`
}

function valueAt({ type }: Column, at: number, engine: RowSource['engine']): RawBuilder<unknown> {
  const value = sql`row.value ->> ${sql.lit(at)}`
  return engine === 'sqlite' || type === 'text' ? value : sql`(${value})::${sql.raw(type)}`
}

function sqliteInsert(shape: TableShape, { db }: RowSource): string {
  const places = sql.join(shape.columns.map(() => sql.raw('?')))
  return insertInto(shape, sql`values (${places})`).compile(db).sql
}

function postgresInsert(shape: TableShape, rows: readonly RowText[]): RawBuilder<unknown> {
  const values = sql.join(shape.columns.map((column, at) => valueAt(column, at, 'postgres')))
  return insertInto(
    shape,
    sql`select ${values} from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) as row(value)`,
  )
}

function insertInto({ table, key, columns }: TableShape, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = (of: readonly Column[]) => sql.join(of.map(({ name }) => sql.ref(name)))
  const others = columns.slice(key.length).map(({ name }) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  const replace = others.length === 0 ? sql`nothing` : sql`update set ${sql.join(others)}`
  return sql`insert into ${sql.table(table)} (${names(columns)}) ${rows} on conflict (${names(key)}) do ${replace}`
}

/** Data exceptions and constraint violations (postgresql.org/docs/current/errcodes-appendix.html). */
function isRefusal(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

async function firstRefused(
  target: RowSource,
  shape: TableShape,
  rows: readonly RowText[],
): Promise<RefusedRow | undefined> {
  for (const row of rows) {
    try {
      await insertUntriggered(target, shape, [row])
    } catch (error) {
      if (!isRefusal(error)) throw error
      return refusedRow(shape, row, error.message)
    }
  }
  return undefined
}

function refusedRow({ table, key, columns }: TableShape, row: RowText, message: string): RefusedRow {
  const values = rowValues(row)
  const shown = shownKey(values, key.length)
  for (const [at, { name, type }] of columns.entries()) {
    const value = values[at] ?? null
    const problem = value === null ? undefined : problemOf(value, type)
    if (problem !== undefined) return { table, key: shown, column: name, problem }
  }
  return { table, key: shown, column: '', problem: `is refused by PostgreSQL: ${message}` }
}

const INT32 = 2 ** 31

/** Key values as an operator reads them. */
export function shownKey(values: readonly RowValue[], columns: number): string {
  return values
    .slice(0, columns)
    .map((value) => (value !== null && typeof value === 'object' ? `x'${value.bytes}'` : (value ?? '')))
    .join(' ')
}

function problemOf(value: NonNullable<RowValue>, type: string): string | undefined {
  if (typeof value === 'object') return 'is not UTF-8'
  const isText = typeof value === 'string'
  switch (type) {
    case 'text':
      if (!isText) return 'is a number where text is expected'
      return value.includes('\0') ? 'has the character U+0000, which PostgreSQL cannot store' : undefined
    case 'integer':
      return !isText && Number.isInteger(value) && value >= -INT32 && value < INT32
        ? undefined
        : 'is not a 32-bit integer'
    case 'double precision':
      return isText ? 'is text where a number is expected' : undefined
    default:
      return /^-?\d+$/.test(String(value)) ? undefined : 'is not a whole number'
  }
}

const INSERT_ROWS_PROGRAM = new URL('./insert-rows-program.ts', import.meta.url)

export async function openInsertRows(database: SqliteDatabase): Promise<ProgramHost> {
  return await database.openProgram(INSERT_ROWS_PROGRAM)
}
