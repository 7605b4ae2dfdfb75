import { type Kysely, type RawBuilder, sql } from 'kysely'
import { asBigInt, asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { LOG_TYPE } from '../../statuses.ts'
import { DAY_SECONDS, fromSeries, fromTime, isByTimeOnly, type LogFilter, type Span } from './log-filter.ts'
import { type LogDay, tallyLogs, totalOf } from './log-tally.ts'

export interface LogBucket {
  /** Unix seconds; a multiple of the histogram's `seconds`. */
  readonly start: number
  readonly entries: number
  /** mq charged by them. */
  readonly amount: bigint
}

export interface LogHistogram {
  /** Length of every bucket. */
  readonly seconds: number
  /** Oldest first; periods without rows are left out. */
  readonly buckets: readonly LogBucket[]
}

/** Most buckets that a window is divided into. */
export const HISTOGRAM_BUCKETS_MAX = 120
/**
 * Most index entries that are read for one histogram: by time alone, and series by series, which takes longer per entry (30 and 60
 * ms in all on SQLite). A window with more rows is shown by day, from the roll-ups, until it is narrowed.
 */
export const HISTOGRAM_ROWS_MAX = { byTime: 500_000, bySeries: 100_000 } as const

const MINUTE = 60
const HOUR = 3_600
/** Bucket lengths below a day, all of which divide a day. */
const PARTS_OF_DAYS = [1, 5, 10, 30].map((minutes) => minutes * MINUTE).concat([1, 2, 3, 6, 12].map((h) => h * HOUR))

/**
 * The distribution over time of the rows that a filter finds, exact and as fine as `HISTOGRAM_BUCKETS_MAX` allows. A time range
 * that is open at one end begins or ends with the rows themselves.
 */
export async function logHistogram(db: Kysely<Schema>, filter: LogFilter): Promise<LogHistogram> {
  const days = await tallyLogs(db, filter)
  const [oldest, newest] = [days[0], days.at(-1)]
  if (oldest === undefined || newest === undefined) return { seconds: DAY_SECONDS, buckets: [] }
  const span = { from: filter.from ?? oldest.from, to: filter.to ?? newest.to }
  const seconds = PARTS_OF_DAYS.find((length) => bucketsIn(span, length) <= HISTOGRAM_BUCKETS_MAX)
  const way = seconds === undefined ? undefined : await pathToRows(db, filter, totalOf(days))
  if (seconds === undefined || way === undefined) return ofDays(days, span)
  return { seconds, buckets: await ofRows(db, way(filter, { from: oldest.from, to: newest.to }, seconds), seconds) }
}

/** How the rows are read; undefined if either way would go through too many of them. */
async function pathToRows(db: Kysely<Schema>, filter: LogFilter, found: number): Promise<PathToRows | undefined> {
  if (isByTimeOnly(filter)) {
    // Rows of all types are adjacent, so those of other types are read as well.
    const passed = filter.type === undefined ? found : totalOf(await tallyLogs(db, { ...filter, type: undefined }))
    if (passed <= HISTOGRAM_ROWS_MAX.byTime) return bucketByBucket
  }
  return found <= HISTOGRAM_ROWS_MAX.bySeries ? seriesBySeries : undefined
}

type PathToRows = (filter: LogFilter, span: Span, seconds: number) => RawBuilder<BucketSums>

function bucketsIn({ from, to }: Span, seconds: number): number {
  return Math.floor(to / seconds) - Math.floor(from / seconds) + 1
}

function ofDays(days: readonly LogDay[], span: Span): LogHistogram {
  // Fewer days per bucket cannot suffice; a few more may be needed, because buckets begin at multiples of their length.
  let seconds = Math.ceil(bucketsIn(span, DAY_SECONDS) / HISTOGRAM_BUCKETS_MAX) * DAY_SECONDS
  while (bucketsIn(span, seconds) > HISTOGRAM_BUCKETS_MAX) seconds += DAY_SECONDS
  const buckets = new Map<number, LogBucket>()
  for (const { from, entries, amount } of days) {
    const start = Math.floor(from / seconds) * seconds
    const before = buckets.get(start)
    buckets.set(start, {
      start,
      entries: (before?.entries ?? 0) + entries,
      amount: (before?.amount ?? 0n) + amount,
    })
  }
  return { seconds, buckets: [...buckets.values()] }
}

interface BucketSums {
  readonly bucket: number | bigint | string
  readonly entries: number | bigint | string
  readonly amount: number | bigint | string | null
}

async function ofRows(db: Kysely<Schema>, query: RawBuilder<BucketSums>, seconds: number): Promise<LogBucket[]> {
  const { rows } = await query.execute(db)
  return rows
    .map(({ bucket, entries, amount }) => ({
      start: asNumber(bucket) * seconds,
      entries: asNumber(entries),
      amount: asBigInt(amount),
    }))
    .filter(({ entries }) => entries > 0)
}

const SUMS = sql`count(*) as entries, sum(case log.type when ${sql.lit(LOG_TYPE.consume)} then log.amount else 0 end) as amount`

/** Reads one index range after the other: four times as fast as grouping the rows, because nothing is sorted. */
function bucketByBucket(filter: LogFilter, span: Span, seconds: number): RawBuilder<BucketSums> {
  const [first, last] = [Math.floor(span.from / seconds), Math.floor(span.to / seconds)]
  const queries = Array.from({ length: last - first + 1 }, (_, at) => {
    const bucket = first + at
    const part = {
      from: Math.max(span.from, bucket * seconds),
      to: Math.min(span.to, (bucket + 1) * seconds - 1),
    }
    return sql`select ${sql.lit(bucket)} as bucket, ${SUMS} ${fromTime(filter, part)}`
  })
  return sql`${sql.join(queries, sql` union all `)}`
}

function seriesBySeries(filter: LogFilter, span: Span, seconds: number): RawBuilder<BucketSums> {
  return sql`select floor(log.created_at / ${seconds}) as bucket, ${SUMS} ${fromSeries(filter, span)}
    group by 1 order by 1`
}
