import { sql } from 'kysely'
import { compareRows, type Comparison, type Difference, readContent } from './compare-rows.ts'
import { COPIED_TABLES } from './copied-tables.ts'
import { readAhead, readRows, type RowSource } from './read-rows.ts'
import { type RowText, rowValues } from './row-text.ts'
import { readShapes, type TableShape } from './table-shape.ts'
import { clearUniques, putRows, type RefusedRow, removeRows, type RowTarget, shownKey } from './write-rows.ts'

export interface CopiedTable extends Comparison {
  readonly table: string
  /** Rows that were added or replaced. */
  readonly written: number
  readonly removed: number
}

export type CopyResult =
  | { readonly outcome: 'copied'; readonly tables: readonly CopiedTable[] }
  | { readonly outcome: 'refused'; readonly row: RefusedRow }

/** One table of two databases. Its rows are equal when the digests are. */
export interface ComparedTable extends Comparison {
  readonly table: string
  /** Key values of the first row that differs; absent when the rows are equal. */
  readonly firstDifferent?: string
}

export interface PassWatcher {
  /** Called while a table is read, with the rows of the source so far. */
  readonly onRows: (table: string, rows: number) => void
  /** Called when a table has become equal to the source's; the pass waits for it. */
  readonly onTable: (table: string) => Promise<void>
}

const NOBODY: PassWatcher = { onRows: () => {}, onTable: () => Promise.resolve() }

/**
 * Makes every copied table of the target equal to the source's, whatever it held before: adds missing rows, replaces differing
 * ones, removes those that the source lacks. No state is kept between passes, so a pass can be interrupted and repeated. The source
 * must not change meanwhile: read a snapshot, or prevent writes. Both databases are at the newest migration step.
 */
export async function copyTables(
  source: RowSource,
  target: RowTarget,
  { onRows, onTable } = NOBODY,
): Promise<CopyResult> {
  const shapes = await shapesOf(source, target)
  const referred = new Set(shapes.flatMap(({ ours }) => ours.parents))
  for (const { ours, theirs } of shapes.toReversed()) {
    const isReferred = referred.has(ours.table)
    if (isReferred || ours.parents.length > 0 || ours.uniques.length > 0) {
      await compare({ source, ours, target, theirs }, (found) => makeRoom(target, theirs, found, isReferred))
    }
  }
  const tables: CopiedTable[] = []
  for (const { ours, theirs } of shapes) {
    let written = 0
    let removed = 0
    let refused: RefusedRow | undefined
    const found = await compare({ source, ours, target, theirs, onRows }, async ({ missing, changed, gone }) => {
      await removeRows(target, theirs, gone)
      refused ??= await putRows(target, theirs, [...missing, ...changed])
      written += missing.length + changed.length
      removed += gone.length
      return refused === undefined
    })
    if (refused !== undefined) return { outcome: 'refused', row: refused }
    if (ours.isNumbered) await setLastId(target, theirs, await lastId(source, ours))
    tables.push({ table: ours.table, ...found, written, removed })
    await onTable(ours.table)
  }
  return { outcome: 'copied', tables }
}

/**
 * Reads every row of the target again after a pass and compares it with what that pass read from the source, which has not changed
 * since. If a table differs, both sides are read again to find the row.
 */
export async function compareAfterPass(
  source: RowSource,
  target: RowSource,
  passed: readonly CopiedTable[],
): Promise<readonly ComparedTable[]> {
  const shapes = await readShapes(target.db, target.engine)
  const compared: ComparedTable[] = []
  for (const { table, source: ours } of passed) {
    const shape = shapes.get(table)
    if (shape === undefined) throw new Error(`the target has no table ${table}`)
    const theirs = await readContent(readAhead(readRows(target, shape)))
    if (ours.digest === theirs.digest) compared.push({ table, source: ours, target: theirs })
    else compared.push(...(await compareTables(source, target, [table])))
  }
  return compared
}

/** Compares every row of these tables, and writes nothing. */
export async function compareTables(
  source: RowSource,
  target: RowSource,
  tables: readonly string[] = COPIED_TABLES,
): Promise<readonly ComparedTable[]> {
  const compared: ComparedTable[] = []
  for (const { ours, theirs } of await shapesOf(source, target)) {
    if (!tables.includes(ours.table)) continue
    let first: RowText | undefined
    const found = await compare({ source, ours, target, theirs }, async ({ missing, changed, gone }) => {
      first ??= missing[0] ?? changed[0] ?? gone[0]
      return true
    })
    compared.push({
      table: ours.table,
      ...found,
      ...(first !== undefined && { firstDifferent: shownKey(rowValues(first), ours.key.length) }),
    })
  }
  return compared
}

/** Tables whose next rows would get different ids than in the source. */
export async function differentIds(source: RowSource, target: RowSource): Promise<readonly string[]> {
  const different: string[] = []
  for (const { ours, theirs } of await shapesOf(source, target)) {
    if (!ours.isNumbered) continue
    if ((await lastId(source, ours)) !== (await lastId(target, theirs))) different.push(ours.table)
  }
  return different
}

/** The first table with rows that no migration wrote; undefined when the database is as the migrations leave it. */
export async function firstFilledTable({ db }: Pick<RowSource, 'db'>): Promise<string | undefined> {
  for (const table of COPIED_TABLES) {
    if (table === WRITTEN_BY_MIGRATIONS) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return table
  }
  return undefined
}

/** The one table that migrations do not leave empty. */
const WRITTEN_BY_MIGRATIONS = 'snapshot_version'

export interface Shapes {
  readonly ours: TableShape
  readonly theirs: TableShape
}

/** The copied tables of both databases; tables that others refer to come first. Throws when their columns differ. */
async function shapesOf(source: RowSource, target: RowSource): Promise<readonly Shapes[]> {
  const [ofSource, ofTarget] = [await readShapes(source.db, source.engine), await readShapes(target.db, target.engine)]
  return COPIED_TABLES.map((table) => {
    const [ours, theirs] = [ofSource.get(table), ofTarget.get(table)]
    if (ours === undefined || theirs === undefined) throw new Error(`a database has no table ${table}`)
    const names = ({ columns }: TableShape): string => columns.map(({ name }) => name).join(' ')
    if (names(ours) !== names(theirs)) throw new Error(`the table ${table} has different columns in the two databases`)
    return { ours, theirs }
  })
}

/** Makes room for the coming rows: removes values that must be unique, and references that prevent the removal of a row. */
async function makeRoom(
  target: RowTarget,
  shape: TableShape,
  { changed, gone }: Difference,
  isReferred: boolean,
): Promise<boolean> {
  await removeRows(target, shape, isReferred ? gone : [...gone, ...changed])
  if (isReferred) await clearUniques(target, shape, changed)
  return true
}

interface Sides {
  readonly source: RowSource
  readonly ours: TableShape
  readonly target: RowSource
  readonly theirs: TableShape
  readonly onRows?: PassWatcher['onRows']
}

async function compare(
  { source, ours, target, theirs, onRows }: Sides,
  onDifference: (difference: Difference) => Promise<boolean>,
): Promise<Comparison> {
  const rows = counted(readRows(source, ours), (count) => onRows?.(ours.table, count))
  return await compareRows(ours, readAhead(rows), readAhead(readRows(target, theirs)), onDifference)
}

async function* counted<T>(
  pages: AsyncGenerator<readonly T[]>,
  onCount: (rows: number) => void,
): AsyncGenerator<readonly T[]> {
  let rows = 0
  for await (const page of pages) {
    rows += page.length
    onCount(rows)
    yield page
  }
}

/**
 * Adds every row of the source's copied tables, each read once, to a target that is as the migrations leave it. Memory does not
 * grow with the tables. The source must not change meanwhile. Both databases are at the newest migration step. Returns the first
 * row that the target cannot hold; the target is then unusable, as after a rejection.
 */
export async function fillTables(source: RowSource, target: RowTarget): Promise<RefusedRow | undefined> {
  await sql`delete from ${sql.table(WRITTEN_BY_MIGRATIONS)}`.execute(target.db)
  for (const { ours, theirs } of await shapesOf(source, target)) {
    for await (const rows of readAhead(readRows(source, ours))) {
      const refused = await putRows(target, theirs, rows)
      if (refused !== undefined) return refused
    }
    // Read after the rows: ids are assigned outside transactions, so the last one may be ahead of the rows but never behind.
    if (ours.isNumbered) await setLastId(target, theirs, await lastId(source, ours))
  }
  return undefined
}

/** The highest id that a table has ever assigned; 0 if none. Ids are never reused, even after their rows are gone. */
export async function lastId({ db, engine }: RowSource, { table }: TableShape): Promise<number> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.seq ?? 0
  }
  const { rows: named } = await sql<{ name: string }>`
    select pg_get_serial_sequence(${`"${table}"`}, 'id') as name`.execute(db)
  const { rows } = await sql<{ last: bigint }>`
    select case when is_called then last_value else last_value - 1 end as last
    from ${sql.raw(named[0]?.name ?? '')}`.execute(db)
  return Number(rows[0]?.last ?? 0)
}

/** Makes a table assign ids above this one. */
export async function setLastId({ db, engine }: RowSource, { table }: TableShape, id: number): Promise<void> {
  if (engine === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${Math.max(id, 1)}, ${id > 0})`.execute(db)
    return
  }
  const { numAffectedRows } = await sql`update sqlite_sequence set seq = ${id} where name = ${table}`.execute(db)
  if (numAffectedRows === 0n && id > 0) {
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db)
  }
}
