import type { ForeignValue, LogSum, LogSumPage } from './foreign-database.ts'
import { keyOf, type SourceEngine, type SourceTable } from './source-engine.ts'

/** Rows grouped by one statement: few enough that it ends soon and its groups fit into memory even if no two rows are alike. */
const SLICE_ROWS = 20_000
const DAY_SECONDS = 86_400
const YEAR_9999 = 253_402_300_799
const MAX_TOKENS = 1e9
/** 20,000 values of this size still fit into 64 bits. */
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
  const { isOfType, read, isUsable } = expressionsOf(source, table, request.type)
  const until = Math.min(request.until, Number.MAX_SAFE_INTEGER)
  for (let after = Math.max(request.after, 0); after < until;) {
    const { sql, where: beyond } = keyOf(source.words, id, after, until)
    const ends = await source.query(
      `select ${sql} from ${table.sql} where ${beyond} order by ${sql} limit 1 offset ${SLICE_ROWS - 1}`,
    )
    const end = ends[0]?.[0] === undefined ? until : Number(ends[0][0])
    // The limit changes no result; with it each expression is computed once.
    const slice = `(select ${read} from ${table.sql}
      where ${keyOf(source.words, id, after, end).where} and ${isOfType} limit ${SLICE_ROWS}) r`
    const [counted] = await source.query(`select sum(case when ${isUsable} then 0 else 1 end) from ${slice}`)
    const rows = await source.query(`
      select created - created % ${DAY_SECONDS}, user_id, channel_id, token_name, model_name, count(*),
        sum(prompt_tokens), sum(completion_tokens), sum(quota)
      from ${slice} where ${isUsable} group by created - created % ${DAY_SECONDS}, user_id, channel_id, token_name, model_name`)
    const sums: LogSum[] = []
    let unusable = Number(counted?.[0] ?? 0)
    for (const row of rows) {
      const sum = sumOf(source, row)
      if (sum === undefined) unusable += Number(row[REQUESTS_AT])
      else sums.push(sum)
    }
    if (sums.length > 0 || unusable > 0) yield { sums, unusable }
    after = end
  }
}

interface Expressions {
  readonly isOfType: string
  /** The columns to read from the rows that are added up; NULL if a value cannot be used. */
  readonly read: string
  /** Condition over these columns. */
  readonly isUsable: string
}

function expressionsOf({ words }: SourceEngine, table: SourceTable, type: number): Expressions {
  const integer = (name: string): string => {
    const column = table.columns.get(name)
    return column === undefined ? '0' : `case when ${column.sql} is null then 0 else ${words.integer(column)} end`
  }
  const name = (columnName: string): string => {
    const column = table.columns.get(columnName)
    return column === undefined ? 'null' : words.name(column)
  }
  const size = (columnName: string): string => {
    const column = table.columns.get(columnName)
    return `coalesce(${column === undefined ? 'null' : (words.size(column) ?? 'null')}, 0)`
  }
  const read = {
    created: integer('created_at'),
    user_id: integer('user_id'),
    channel_id: integer('channel_id'),
    token_name: name('token_name'),
    model_name: name('model_name'),
    token_name_size: size('token_name'),
    model_name_size: size('model_name'),
    prompt_tokens: integer('prompt_tokens'),
    completion_tokens: integer('completion_tokens'),
    quota: integer('quota'),
  }
  const bounds = [
    `created between 1 and ${YEAR_9999}`,
    ...['user_id', 'channel_id'].map((id) => `${id} between 0 and ${Number.MAX_SAFE_INTEGER}`),
    ...['prompt_tokens', 'completion_tokens'].map((tokens) => `${tokens} between 0 and ${MAX_TOKENS}`),
    `quota between ${-MAX_QUOTA} and ${MAX_QUOTA}`,
    ...['token_name', 'model_name'].map((text) => `${text}_size <= ${MAX_NAME_BYTES}`),
  ]
  return {
    isOfType: `${integer('type')} = ${BigInt(type)}`,
    read: Object.entries(read)
      .map(([alias, sql]) => `${sql} as ${alias}`)
      .join(', '),
    isUsable: bounds.join(' and '),
  }
}

const REQUESTS_AT = 5

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
