import {
  type ForeignDatabase,
  type ForeignRow,
  ForeignTrouble,
  type ForeignValue,
  type UnreadableText,
} from './foreign-database.ts'
import { logSums } from './log-sums.ts'
import { keyOf, type SourceColumn, type SourceEngine, type SourceTable, type SourceWords } from './source-engine.ts'

/** A larger text or blob is not read. */
const MAX_VALUE_BYTES = 16 * 1024 * 1024
/** A row that is larger even without such values is read without its values beyond 1 MB. */
const MAX_ROW_BYTES = 64 * 1024 * 1024
const MAX_VALUE_OF_LARGE_ROW_BYTES = 1024 * 1024
const MAX_PAGE_BYTES = 32 * 1024 * 1024
const REPLACEMENT = '�'

export function readTables(engine: ForeignDatabase['engine'], label: string, source: SourceEngine): ForeignDatabase {
  const { words } = source
  const tableOf = (name: string): SourceTable => {
    const table = source.tables.get(name)
    if (table === undefined) throw new Error(`the source has no table ${name}`)
    return table
  }
  const one = async (sql: string): Promise<number> => Number((await source.query(sql))[0]?.[0] ?? 0)

  return {
    engine,
    label,
    get tables() {
      return [...source.tables].map(([name, table]) => ({ name, columns: [...table.columns.keys()] }))
    },
    page: (request) => readPage(source, tableOf(request.table), request),
    count: (name) => one(`select count(*) from ${tableOf(name).sql}`),
    oddKeys: async (name, key) => {
      const table = tableOf(name)
      const keyed = keyOf(words, columnOf(table, key))
      const all = await one(`select count(*) from ${table.sql}`)
      // This form needs only an index in order; count(distinct) would collect all keys.
      const distinct = `select distinct ${keyed.sql} as k from ${table.sql} where ${keyed.where}`
      return all - (await one(`select count(*) from (${distinct}) d`))
    },
    small: async ({ table: name, columns, limit }) => {
      const table = tableOf(name)
      const wanted = columns.map((column) => columnOf(table, column))
      const sizes = sizesOf(words, wanted)
      const inner = `select ${sizes?.sum ?? '0'} as s, ${sizes?.largest ?? '0'} as m from ${table.sql} limit ${limit + 1}`
      const [head] = await source.query(`select count(*), sum(s), max(m) from (${inner}) h`)
      const [rows, bytes, largest] = (head ?? []).map(Number)
      if ((rows ?? 0) > limit) throw new ForeignTrouble(`table ${name} has more than ${limit} rows`)
      if ((bytes ?? 0) > MAX_PAGE_BYTES) throw new ForeignTrouble(`table ${name} is larger than 32 MB`)
      const cut = (largest ?? 0) > MAX_VALUE_BYTES ? MAX_VALUE_BYTES : undefined
      return await readRows({ source, columns, wanted, rest: `from ${table.sql} limit ${limit}`, cut })
    },
    logSums: (request) => logSums(source, tableOf(request.table), request),
    maxKey: (name, key) => {
      const table = tableOf(name)
      const keyed = keyOf(words, columnOf(table, key))
      return one(`select max(${keyed.sql}) from ${table.sql} where ${keyed.where}`)
    },
    refresh: () => source.refresh(),
    close: () => source.close(),
  }
}

/** The rows after a key that fit into a page, in the order of the key. */
async function readPage(
  source: SourceEngine,
  table: SourceTable,
  { columns, key, after, limit }: Parameters<ForeignDatabase['page']>[0],
): Promise<readonly ForeignRow[]> {
  const { words } = source
  const keyColumn = columnOf(table, key)
  const keyed = keyOf(words, keyColumn, after)
  const wanted = columns.map((column) => columnOf(table, column))
  const sizes = sizesOf(words, wanted)
  const rowsUntil = (
    last: number | undefined,
    most: number,
    cut: number | undefined,
  ): Promise<readonly ForeignRow[]> => {
    const rest = `from ${table.sql} where ${keyOf(words, keyColumn, after, last).where} order by ${keyed.sql} limit ${most}`
    return readRows({ source, columns, wanted, rest, cut })
  }
  if (sizes === undefined) return await rowsUntil(undefined, limit, undefined)
  const heads = await source.query(
    `select ${keyed.sql}, ${sizes.sum}, ${sizes.largest} from ${table.sql} where ${keyed.where} order by ${keyed.sql} limit ${limit}`,
  )
  const fitting = rowsThatFit(heads)
  const last = fitting.at(-1)
  if (last === undefined) return []
  const oversize = fitting.some(([, , largest]) => Number(largest) > MAX_VALUE_BYTES)
  const cut = Number(last[1]) > MAX_ROW_BYTES ? MAX_VALUE_OF_LARGE_ROW_BYTES : oversize ? MAX_VALUE_BYTES : undefined
  return await rowsUntil(Number(last[0]), fitting.length, cut)
}

function columnOf(table: SourceTable, name: string): SourceColumn {
  const column = table.columns.get(name)
  if (column === undefined) throw new Error(`table ${table.sql} of the source has no column ${name}`)
  return column
}

/** Per row: total bytes of the values that are read, and bytes of the largest; undefined when no column can hold a large value. */
function sizesOf(
  words: SourceWords,
  columns: readonly SourceColumn[],
): { readonly sum: string; readonly largest: string } | undefined {
  const sizes = columns.map((column) => words.size(column)).filter((size) => size !== undefined)
  if (sizes.length === 0) return undefined
  const read = sizes.map((size) => `case when ${size} <= ${MAX_VALUE_BYTES} then ${size} else 0 end`)
  const largest = sizes.map((size) => `when ${size} > ${MAX_VALUE_BYTES} then ${size}`)
  return { sum: read.join(' + '), largest: `case ${largest.join(' ')} else 0 end` }
}

/** As many rows as fit into a page, at least one; a row that is larger than a page is returned alone. */
function rowsThatFit(heads: readonly (readonly ForeignValue[])[]): readonly (readonly ForeignValue[])[] {
  let bytes = 0
  const end = heads.findIndex(([, size], at) => {
    bytes += Number(size)
    return at > 0 && bytes > MAX_PAGE_BYTES
  })
  return end === -1 ? heads : heads.slice(0, end)
}

interface RowsRequest {
  readonly source: SourceEngine
  readonly columns: readonly string[]
  readonly wanted: readonly SourceColumn[]
  /** The `from` clause and everything after it. */
  readonly rest: string
  /** Bytes beyond which a value is not read; undefined when no value is that large. */
  readonly cut: number | undefined
}

/** Reads rows once, and again with the bytes of their texts if some text may not be exactly what is stored. */
async function readRows(request: RowsRequest): Promise<readonly ForeignRow[]> {
  const { source, columns, wanted, rest, cut } = request
  const { words } = source
  const whole = (column: SourceColumn, sql: string): string => {
    const size = words.size(column)
    return cut === undefined || size === undefined ? sql : `case when ${size} <= ${cut} then ${sql} end`
  }
  const values = wanted.map((column) => whole(column, words.value(column)))
  const tooLarge = wanted.map((column) => {
    const size = words.size(column)
    return cut === undefined || size === undefined ? '0' : `case when ${size} > ${cut} then 1 else 0 end`
  })
  const exact = wanted.map((column) => {
    const text = words.exactText(column)
    return text === undefined ? 'null' : whole(column, text)
  })
  const flags = cut === undefined ? [] : tooLarge
  let rows = await source.query(`select ${[...values, ...flags].join(', ')} ${rest}`)
  const inDoubt = exact.some((text) => text !== 'null') && rows.some((row) => row.some(isInDoubt))
  if (inDoubt) rows = await source.query(`select ${[...values, ...tooLarge, ...exact].join(', ')} ${rest}`)
  const count = columns.length
  return rows.map((row) => {
    const read: Record<string, ForeignValue | UnreadableText> = {}
    for (const [at, name] of columns.entries()) {
      const value = row[at] ?? null
      if (cut !== undefined && Number(row[count + at]) === 1)
        read[name] = { unreadable: `is larger than ${cut / 1024 / 1024} MB` }
      else read[name] = inDoubt && isInDoubt(value) ? exactly(source, value, row[2 * count + at]) : value
    }
    return read
  })
}

function isInDoubt(value: ForeignValue): boolean {
  return typeof value === 'string' && value.includes(REPLACEMENT)
}

function exactly(
  source: SourceEngine,
  value: ForeignValue,
  bytes: ForeignValue | undefined,
): ForeignValue | UnreadableText {
  if (!(bytes instanceof Uint8Array)) return value
  return source.decodeText(bytes) ?? { unreadable: 'is not valid text in its encoding' }
}
