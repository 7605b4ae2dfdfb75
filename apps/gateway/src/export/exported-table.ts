import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely } from 'kysely'

/** The tables of an export, in the order of writing. */
export const EXPORTED_TABLES = [
  'users',
  'tokens',
  'channels',
  'redemptions',
  'options',
  'logs',
  'passkey_credentials',
  'usage_before',
] as const
export type ExportedName = (typeof EXPORTED_TABLES)[number]

export interface ExportedTable {
  readonly columns: readonly string[]
  /** All rows, a page at a time. */
  readonly pages: (db: Kysely<Schema>) => AsyncIterable<readonly (readonly Cell[])[]>
}

/** `read` returns at most a page of rows after the given one, and none at the end. */
export function exportedTable<Row>(
  read: (db: Kysely<Schema>, last: Row | undefined) => Promise<readonly Row[]>,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): ExportedTable {
  const cells = Object.values(columns)
  return {
    columns: Object.keys(columns),
    pages: async function* (db) {
      for (let rows = await read(db, undefined); rows.length > 0; rows = await read(db, rows.at(-1))) {
        yield rows.map((row) => cells.map((cell) => cell(row)))
      }
    },
  }
}

/** A field; null stands for NULL. Numbers must be whole. */
export type Cell = string | number | bigint | null

/** Texts that need quotes, because they would otherwise be read as NULL or as several fields. */
const QUOTED = /^$|^\\N$|[",\r\n]/

/** Rows as CSV (RFC 4180) that ends with a line break. NULL is an unquoted empty field, and '' a quoted one. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  let text = ''
  for (const row of rows) text += `${row.map(fieldOf).join(',')}\r\n`
  return text
}

function fieldOf(cell: Cell): string {
  if (cell === null) return ''
  const text = String(cell)
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
