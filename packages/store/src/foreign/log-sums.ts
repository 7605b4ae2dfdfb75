import type { ForeignValue, LogSum, LogSumPage } from './foreign-database.ts'
import { keyOf, type SourceEngine, type SourceTable } from './source-engine.ts'

/** Rows that are grouped by one statement: it ends soon, and its groups fit into memory even if no two rows are alike. */
const SLICE_ROWS = 50_000
const DAY_SECONDS = 86_400
const YEAR_9999 = 253_402_300_799
const MAX_TOKENS = 1e9
/** 50,000 of them still fit into 64 bits. */
const MAX_QUOTA = 1e14
const MAX_NAME_BYTES = 1_000

/** Groups log rows by day, user, token, model and channel, one slice of ids after the other. */
export async function* logSums(
  source: SourceEngine,
  table: SourceTable,
  request: { readonly type: number; readonly after: number; readonly until: number },
): AsyncIterable<LogSumPage> {
  const id = table.columns.get('id')
  if (id === undefined) return
  const { where, groups, sums } = expressionsOf(source, table, request.type)
  const until = Math.min(request.until, Number.MAX_SAFE_INTEGER)
  for (let after = Math.max(request.after, 0); after < until;) {
    const { sql, where: beyond } = keyOf(source.words, id, after)
    const range = `from ${table.sql} where ${beyond} and ${sql} <= `
    const ends = await source.query(`select ${sql} ${range}${until} order by ${sql} limit 1 offset ${SLICE_ROWS - 1}`)
    const end = ends[0]?.[0] === undefined ? until : Number(ends[0][0])
    const slice = `${range}${end} and ${where.type}`
    const counted = await source.query(`select count(*) ${slice}`)
    const list = groups.join(', ')
    const rows = await source.query(
      `select ${list}, count(*), ${sums.join(', ')} ${slice} and ${where.usable} group by ${list}`,
    )
    const read = rows.map((row) => sumOf(source, row))
    const usable = read.filter((sum) => sum !== undefined)
    const taken = usable.reduce((total, { requests }) => total + requests, 0)
    const unusable = Number(counted[0]?.[0] ?? 0) - taken
    if (usable.length > 0 || unusable > 0) yield { sums: usable, unusable }
    after = end
  }
}

interface Expressions {
  readonly where: { readonly type: string; readonly usable: string }
  readonly groups: readonly string[]
  readonly sums: readonly string[]
}

function expressionsOf({ words }: SourceEngine, table: SourceTable, type: number): Expressions {
  const integer = (name: string): string => {
    const column = table.columns.get(name)
    return column === undefined ? '0' : `case when ${column.sql} is null then 0 else ${words.integer(column)} end`
  }
  const name = (columnName: string): { readonly sql: string; readonly usable: string } => {
    const column = table.columns.get(columnName)
    // A group of a constant would mean the place of a column.
    if (column === undefined) return { sql: 'coalesce(null, null)', usable: '1 = 1' }
    const size = words.size(column)
    const usable = size === undefined ? '1 = 1' : `coalesce(${size}, 0) <= ${MAX_NAME_BYTES}`
    return { sql: words.name(column), usable }
  }
  const between = (sql: string, least: number, most: number): string => `${sql} between ${least} and ${most}`
  const created = integer('created_at')
  const ids = ['user_id', 'channel_id'].map(integer)
  const names = ['token_name', 'model_name'].map(name)
  const tokens = ['prompt_tokens', 'completion_tokens'].map(integer)
  const quota = integer('quota')
  const usable = [
    between(created, 1, YEAR_9999),
    ...ids.map((sql) => between(sql, 0, Number.MAX_SAFE_INTEGER)),
    ...tokens.map((sql) => between(sql, 0, MAX_TOKENS)),
    between(quota, -MAX_QUOTA, MAX_QUOTA),
    ...names.map((each) => each.usable),
  ]
  const grouped = (sql: string): string => `(${sql}) + 0`
  return {
    where: { type: `${integer('type')} = ${BigInt(type)}`, usable: usable.join(' and ') },
    groups: [grouped(`${created} - ${created} % ${DAY_SECONDS}`), ...ids.map(grouped), ...names.map(({ sql }) => sql)],
    sums: [...tokens, quota].map((sql) => `sum(${sql})`),
  }
}

/** Undefined when a name is not a text. */
function sumOf(source: SourceEngine, row: readonly ForeignValue[]): LogSum | undefined {
  const [dayStart, userId, channelId, token, modelName, requests, promptTokens, completionTokens, quota] = row
  const tokenName = nameOf(source, token)
  const model = nameOf(source, modelName)
  if (tokenName === undefined || model === undefined) return undefined
  return {
    day: Math.floor(Number(dayStart) / DAY_SECONDS),
    userId: Number(userId),
    tokenName,
    model,
    channelId: Number(channelId),
    requests: Number(requests),
    promptTokens: Number(promptTokens),
    completionTokens: Number(completionTokens),
    quota: BigInt(String(quota)),
  }
}

function nameOf(source: SourceEngine, value: ForeignValue | undefined): string | undefined {
  if (value === null || value === undefined) return ''
  return value instanceof Uint8Array ? source.decodeText(value) : String(value)
}
