import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import type { Page } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'
import { LOG_TYPE } from '../../statuses.ts'
import { chosenByTime, type ChosenRow, type ValueSort } from './log-choice.ts'
import { fromSeries, fromTime, isByTimeOnly, type LogFilter, type Span, spanOf, within } from './log-filter.ts'
import { type LogDay, totalOf } from './log-tally.ts'

interface Candidate extends ChosenRow {
  readonly value: number | bigint
}

const SORT_BOUNDS = {
  /** Up to this many rows are sorted completely. */
  rows: 100_000,
  /** Of more rows, this many are sorted, enough for ten of the largest pages. */
  first: 1_000,
} as const

interface Bounds {
  readonly rows: number
  readonly first: number
}

export interface SortedPart {
  /** This many rows, from the first; the others follow newest first. */
  readonly first: number
  /** How many of the newest rows were considered to find them; the number of all rows if all were. */
  readonly among: number
}

/**
 * Ids of one page of the rows that a filter finds, in the order of a number; newest first where values are equal. `days` are the
 * days with the rows that the filter finds. A result of more than `bounds.rows` rows begins with the first `bounds.first` of that
 * order, and the others follow by time: with a filter by time those first rows are found among all rows, with other filters among
 * the newest, because nothing tells where their extremes are.
 */
export async function idsByValue(
  db: Kysely<Schema>,
  filter: LogFilter,
  sorting: ValueSort,
  days: readonly LogDay[],
  page: Page,
  bounds: Bounds = SORT_BOUNDS,
): Promise<{ readonly ids: readonly number[]; readonly sorted?: SortedPart }> {
  const count = page.offset + page.limit
  const idsOf = (rows: readonly ChosenRow[]) => rows.map(({ id }) => asNumber(id))
  if (totalOf(days) <= bounds.rows) {
    return { ids: idsOf((await firstByValue(db, filter, sorting, count)).slice(page.offset)) }
  }
  const { from, among } = isByTimeOnly(filter) ? { from: filter.from, among: totalOf(days) } : newest(days, bounds.rows)
  const first = await firstByValue(db, { ...filter, from }, sorting, Math.min(count, bounds.first))
  const ids = idsOf(first.slice(page.offset))
  const rest = { offset: Math.max(0, page.offset - bounds.first), limit: page.limit - ids.length }
  if (rest.limit > 0) ids.push(...idsOf(await othersByTime(db, filter, days, first, rest)))
  return { ids, sorted: { first: bounds.first, among } }
}

/** The newest days that together have as many rows as are sorted. */
function newest(days: readonly LogDay[], rows: number): { readonly from: number; readonly among: number } {
  let among = 0
  const day = days.findLast(({ entries }) => (among += entries) >= rows)
  return { from: day?.from ?? 0, among }
}

/** One page of the rows that are not among the first `count`, newest first. */
async function othersByTime(
  db: Kysely<Schema>,
  filter: LogFilter,
  days: readonly LogDay[],
  first: readonly ChosenRow[],
  { offset, limit }: Page,
): Promise<readonly ChosenRow[]> {
  const isFirst = new Set(first.map(({ id }) => asNumber(id)))
  const chosen = await chosenByTime(db, filter, days, 'desc', { offset, limit: limit + first.length })
  const [top] = chosen
  if (top === undefined) return []
  // Each of the first rows that is newer than the top of this page has shifted it by one.
  const passed = first.filter((row) => byTime(row, top) < 0).length
  return chosen.filter(({ id }) => !isFirst.has(asNumber(id))).slice(passed, passed + limit)
}

async function firstByValue(
  db: Kysely<Schema>,
  filter: LogFilter,
  sorting: ValueSort,
  count: number,
): Promise<readonly Candidate[]> {
  const span = spanOf(filter)
  const compare = before(sorting.direction)
  let first: readonly Candidate[] = []
  const add = async (source: RawBuilder<unknown>, worst?: Place): Promise<void> => {
    const { rows } =
      await sql<Candidate>`select id, created_at, value from (${source}) as candidate ${noWorse(sorting, worst)}
      order by value ${sql.raw(sorting.direction)}, created_at desc, id desc limit ${count}`.execute(db)
    first = first.length === 0 ? rows : [...first, ...rows].toSorted(compare).slice(0, count)
  }
  if (!isByTimeOnly(filter)) await add(sql`select ${valueOf(sorting)} ${fromSeries(filter, span)}`)
  else if (count > SORT_BOUNDS.first) await add(sql`select ${valueOf(sorting)} ${fromTime(filter, span)}`)
  else {
    const { sources, worst } = await extremeRows(db, filter, span, sorting, count)
    for (const { source, best } of sources) {
      const last = first[count - 1]
      if (last !== undefined && best !== undefined && compare(last, best) < 0) break
      await add(source, last ?? worst)
    }
  }
  return first
}

function byTime(a: ChosenRow, b: ChosenRow): number {
  return b.created_at - a.created_at || asNumber(b.id) - asNumber(a.id)
}

function before(direction: 'asc' | 'desc') {
  const sign = direction === 'asc' ? 1 : -1
  return (a: Candidate, b: Candidate): number => {
    if (a.value !== b.value) return a.value < b.value ? -sign : sign
    return byTime(a, b)
  }
}

/** A position in value order: among rows with this value, those up to it are at least this new. */
interface Place {
  readonly value: number | bigint
  readonly created_at: number
}

/** Leaves out rows after a position that enough rows reach: reading an entry costs less than sorting it. */
function noWorse({ direction }: ValueSort, place: Place | undefined): RawBuilder<unknown> {
  if (place === undefined) return sql``
  const better = sql.raw(direction === 'asc' ? '<' : '>')
  return sql`where value ${better} ${place.value} or (value = ${place.value} and created_at >= ${place.created_at})`
}

function valueOf({ column }: ValueSort): RawBuilder<unknown> {
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

interface Source {
  readonly source: RawBuilder<unknown>
  /** No row of this or a later source sorts before this; undefined where that is not known. */
  readonly best?: Candidate
}

/**
 * Queries for rows that include the first `count` of a span by a value. Among charges, those rows are in the `count` zones with the
 * most extreme values (the newest of equals), because each zone has a row that sorts before every row of all later zones. As soon
 * as enough rows sort before a zone's extreme, that zone and all following ones are left out. Zones that are partly outside the
 * span are always read, and so are the few rows that are not charges. The zones are written into the text as constants: PostgreSQL,
 * which cannot guess how little a join by time finds, would otherwise read the whole table.
 */
async function extremeRows(
  db: Kysely<Schema>,
  { type }: LogFilter,
  span: Span,
  sorting: ValueSort,
  count: number,
): Promise<{ readonly sources: readonly Source[]; readonly worst: Place | undefined }> {
  const value = valueOf(sorting)
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const plain = {
    source: sql`select ${value} from log where type <> ${sql.lit(LOG_TYPE.consume)} ${ofType} and ${within(span)}`,
  }
  if (type !== undefined && type !== LOG_TYPE.consume) return { sources: [plain], worst: undefined }
  const { edges, zones } = await extremeSpans(db, span, sorting, count)
  const lastZone = zones[count - 1]
  const worst = lastZone === undefined ? undefined : { value: lastZone.extreme, created_at: lastZone.from }
  // The plus keeps SQLite from building its own index by type.
  const charges = (spans: readonly Span[]): RawBuilder<unknown> =>
    sql.join(
      spans.map(
        (part) => sql`select ${value} from log where ${within(part)} and +log.type = ${sql.lit(LOG_TYPE.consume)}`,
      ),
      sql` union all `,
    )
  const sources: Source[] = type === LOG_TYPE.consume ? [] : [plain]
  if (edges.length > 0) sources.push({ source: charges(edges) })
  for (let first = 0; first < zones.length; first += SPANS_AT_ONCE) {
    const [zone, ...others] = zones.slice(first, first + SPANS_AT_ONCE)
    if (zone === undefined) break
    const best = { id: Number.MAX_SAFE_INTEGER, created_at: zone.to, value: zone.extreme }
    sources.push({ source: charges([zone, ...others]), best })
  }
  return { sources, worst }
}

interface Zone extends Span {
  readonly extreme: number | bigint
}

/** The zones that lie wholly within a span, most extreme values first, and the remainders at both ends of the span. */
async function extremeSpans(
  db: Kysely<Schema>,
  span: Span,
  { column, direction }: ValueSort,
  count: number,
): Promise<{ readonly edges: readonly Span[]; readonly zones: readonly Zone[] }> {
  const first = Math.ceil(span.from / ZONE_SECONDS)
  const last = Math.floor((span.to + 1) / ZONE_SECONDS) - 1
  if (last < first) return { edges: [span], zones: [] }
  const extreme = sql.ref(`${direction === 'desc' ? 'most' : 'least'}_${EXTREME[column]}`)
  const { rows } = await sql<{ zone: number; extreme: number | bigint }>`
    select zone, ${extreme} as extreme from log_zone where zone >= ${first} and zone <= ${last}
    order by ${extreme} ${sql.raw(direction)}, zone desc limit ${count}`.execute(db)
  const zones = rows.map(({ zone, extreme: value }) => ({
    from: zone * ZONE_SECONDS,
    to: (zone + 1) * ZONE_SECONDS - 1,
    extreme: value,
  }))
  const edges = [
    { from: span.from, to: first * ZONE_SECONDS - 1 },
    { from: (last + 1) * ZONE_SECONDS, to: span.to },
  ]
  return { edges: edges.filter(({ from, to }) => from <= to), zones }
}
