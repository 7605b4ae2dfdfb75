import { COPIED_TABLES } from '@sluice/store/copy/copied-tables'
import { compareKeys, type RowValue } from '@sluice/store/copy/row-text'
import type { Column, TableShape } from '@sluice/store/copy/table-shape'
import { sql } from 'kysely'
import { openTestDatabase } from './databases.ts'

/** Rows of each table as texts, in key order. */
export type TableRows = ReadonlyMap<string, readonly string[]>

export async function nullableColumns(): Promise<ReadonlySet<string>> {
  const database = await openTestDatabase('sqlite')
  const { rows } = await sql<{ name: string }>`
    select t.name || '.' || c.name as name from sqlite_schema t join pragma_table_info(t.name) c
    where t.type = 'table' and c."notnull" = 0 and c.pk = 0`.execute(database.kysely)
  await database.close()
  return new Set(rows.map(({ name }) => name))
}

const ROWS = 7
/** Values that engines, escaping and sort orders may treat differently. */
const TEXTS = [
  '',
  'a',
  'B',
  'ä',
  '_',
  "it's",
  '"quoted" \\ back\\u0041',
  'tab\tline\nreturn\r\u0001\u001f\u007f',
  '\u2028\ufeff\uffff',
  '😀',
  '[1,"x"]',
  'null',
  '0199',
  '%s $1 ?',
]
const WIDE = ['0', '1', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993']
const SAFE = [0, 1, -1, 1_764_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 4_294_967_296]
const INTEGERS = [0, 1, -1, 2, 2_147_483_647, -2_147_483_648]
const NEVER_NEGATIVE = ['amount', 'held']
const REFERRING: Readonly<Record<string, string>> = {
  user_id: 'user',
  account: 'account',
  limit_account: 'account',
  check_id: 'ledger_check',
}

/** Rows for every copied table, with values of every kind and valid references; deterministic by seed. */
export function randomTables(
  shapes: ReadonlyMap<string, TableShape>,
  nullable: ReadonlySet<string>,
  seed: number,
): TableRows {
  const random = randomOf(seed)
  const tables = new Map<string, readonly string[]>()
  const ids = new Map<string, readonly RowValue[]>()
  for (const table of COPIED_TABLES) {
    const shape = shapes.get(table)
    if (shape === undefined) throw new Error(`no table ${table}`)
    const order = shuffled(
      Array.from({ length: ROWS }, (_, at) => at),
      random,
    )
    const rows = new Map<string, readonly RowValue[]>()
    for (let at = 0; at < Math.floor(random() * (ROWS + 1)); at += 1) {
      const values = shape.columns.map((column): RowValue => {
        const parent = shape.parents.find((name) => REFERRING[column.name] === name)
        if (parent !== undefined) return pick(ids.get(parent) ?? [], random)
        if (nullable.has(`${table}.${column.name}`) && random() < 0.3) return null
        const isUnique = shape.uniques.some((unique) => unique.includes(column.name))
        if (isUnique && column.type === 'text') return `${TEXTS[order[at] ?? 0]} of ${table}`
        return valueOf(shape, column, random)
      })
      if (values.includes(NO_PARENT)) continue
      rows.set(JSON.stringify(values.slice(0, shape.key.length)), values)
    }
    const sorted = [...rows.values()].toSorted((a, b) => compareKeys(a, b, shape))
    ids.set(
      table,
      sorted.map(([id]) => id ?? null),
    )
    tables.set(
      table,
      sorted.map((values) => JSON.stringify(values)),
    )
  }
  return tables
}

const NO_PARENT = 'no parent'

function valueOf({ isNumbered, key }: TableShape, { name, type, isWide }: Column, random: () => number): RowValue {
  if (isNumbered && name === key[0]?.name) return 1 + Math.floor(random() * ROWS * 2)
  if (type === 'text') return pick(TEXTS, random)
  const value = pick<string | number>(isWide ? WIDE : type === 'integer' ? INTEGERS : SAFE, random)
  return NEVER_NEGATIVE.includes(name) && String(value).startsWith('-') ? (isWide ? '7' : 7) : value
}

function pick<T>(list: readonly T[], random: () => number): T | typeof NO_PARENT {
  return list[Math.floor(random() * list.length)] ?? NO_PARENT
}

function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
