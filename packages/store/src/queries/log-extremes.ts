import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asNumber } from '../aggregates.ts'
import type { Page, Sorting } from '../paging.ts'
import type { Schema } from '../schema.ts'
import type { LogSortColumn } from './log-choice.ts'
import { fromSeries, isByTimeOnly, type LogFilter, type Span, spanOf, within } from './log-filter.ts'

type ValueSorting = Sorting<Exclude<LogSortColumn, 'created_at'>>

interface Candidate {
  readonly id: number | bigint
  readonly created_at: number
  readonly value: number | bigint
}

/** Ids of one page of the rows that a filter finds, in the order of a value; newest first where values are equal. */
export async function idsByValue(
  db: Kysely<Schema>,
  filter: LogFilter,
  sorting: ValueSorting,
  page: Page,
): Promise<readonly number[]> {
  const count = page.offset + page.limit
  const span = spanOf(filter)
  const sources = isByTimeOnly(filter)
    ? await extremeRows(db, filter, span, sorting, count)
    : [sql`select ${valueOf(sorting)} ${fromSeries(filter, span)}`]
  const first: Candidate[] = []
  for (const source of sources) {
    const { rows } = await sql<Candidate>`select id, created_at, value from (${source}) as candidate
      order by value ${sql.raw(sorting.direction)}, created_at desc, id desc limit ${count}`.execute(db)
    first.push(...rows)
  }
  const sorted = sources.length === 1 ? first : first.toSorted(before(sorting.direction))
  return sorted.slice(page.offset, count).map(({ id }) => asNumber(id))
}

function before(direction: 'asc' | 'desc') {
  const sign = direction === 'asc' ? 1 : -1
  return (a: Candidate, b: Candidate): number => {
    if (a.value !== b.value) return a.value < b.value ? -sign : sign
    return b.created_at - a.created_at || asNumber(b.id) - asNumber(a.id)
  }
}

function valueOf({ column }: ValueSorting): RawBuilder<unknown> {
  return sql`log.id, log.created_at, ${sql.ref(`log.${column}`)} as value`
}

const ZONE_SECONDS = 600
const EXTREME = {
  amount: 'amount',
  prompt_tokens: 'prompt',
  completion_tokens: 'completion',
  elapsed_ms: 'elapsed',
} as const
/** Spans read by one statement; SQLite joins at most 500 queries. */
const SPANS_AT_ONCE = 100

/**
 * Queries for rows among which are the first `count` of a span by a value. Of the charges they are in the `count` zones with
 * the most extreme values (the newest of equals), because each of these has one row that comes before every row of all other
 * zones. Zones that lie partly outside are always read, and so are the few rows that are no charges. The zones stand in the
 * text as constants: PostgreSQL, which cannot guess how little a join by time finds, would read the whole table for it.
 */
async function extremeRows(
  db: Kysely<Schema>,
  { type }: LogFilter,
  span: Span,
  sorting: ValueSorting,
  count: number,
): Promise<RawBuilder<unknown>[]> {
  const value = valueOf(sorting)
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const plain = sql`select ${value} from log where type <> 2 ${ofType} and ${within(span)}`
  if (type !== undefined && type !== 2) return [plain]
  const spans = await extremeSpans(db, span, sorting, count)
  const sources: RawBuilder<unknown>[] = type === 2 ? [] : [plain]
  for (let first = 0; first < spans.length; first += SPANS_AT_ONCE) {
    // The plus keeps SQLite from making itself an index by type.
    const charges = spans
      .slice(first, first + SPANS_AT_ONCE)
      .map((part) => sql`select ${value} from log where ${within(part)} and +log.type = 2`)
    sources.push(sql.join(charges, sql` union all `))
  }
  return sources
}

async function extremeSpans(db: Kysely<Schema>, span: Span, { column, direction }: ValueSorting, count: number) {
  const first = Math.ceil(span.from / ZONE_SECONDS)
  const last = Math.floor((span.to + 1) / ZONE_SECONDS) - 1
  if (last < first) return [span]
  const extreme = sql.ref(`${direction === 'desc' ? 'most' : 'least'}_${EXTREME[column]}`)
  const { rows } = await sql<{ zone: number }>`
    select zone from log_zone where zone >= ${first} and zone <= ${last}
    order by ${extreme} ${sql.raw(direction)}, zone desc limit ${count}`.execute(db)
  const zones = rows.map(({ zone }) => ({ from: zone * ZONE_SECONDS, to: (zone + 1) * ZONE_SECONDS - 1 }))
  const edges = [
    { from: span.from, to: first * ZONE_SECONDS - 1 },
    { from: (last + 1) * ZONE_SECONDS, to: span.to },
  ]
  return [...edges.filter(({ from, to }) => from <= to), ...zones]
}
