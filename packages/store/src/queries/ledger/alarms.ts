import { type Kysely, type RawBuilder, sql } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import { type Page, readPage } from '../../paging.ts'
import type { Schema } from '../../schema/schema.ts'

/** Occurrences since the last report. */
export interface AlarmReport {
  readonly kind: string
  readonly subject: string
  readonly channelId: number
  readonly occurrences: number
  /** Unix milliseconds. */
  readonly firstSeen: number
  readonly lastSeen: number
}

export interface AlarmRow {
  readonly id: number
  readonly kind: string
  readonly subject: string
  readonly channelId: number
  /** Empty when the channel is gone, or there is none. */
  readonly channelName: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly occurrences: number
}

/** An alarm that still occurs this long after it was dismissed is shown again. */
const DISMISSED_FOR_MS = 7 * 86_400_000
/** How many alarms are kept; those not seen for the longest time are removed first. */
const KEPT = 1_000

/** Adds reports to the known alarms, at most a few hundred at a time. */
export async function reportAlarms(db: Kysely<Schema>, reports: readonly AlarmReport[]): Promise<void> {
  if (reports.length === 0) return
  await db
    .insertInto('alarm')
    .values(
      reports.map(({ kind, subject, channelId, occurrences, firstSeen, lastSeen }) => ({
        kind,
        subject,
        channel_id: channelId,
        first_seen_ms: firstSeen,
        last_seen_ms: lastSeen,
        occurrences,
        dismissed_ms: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject', 'channel_id']).doUpdateSet({
        occurrences: sql<number>`alarm.occurrences + excluded.occurrences`,
        first_seen_ms: sql<number>`case when ${isAhead('first_seen_ms')} then excluded.first_seen_ms
          else alarm.first_seen_ms end`,
        last_seen_ms: sql<number>`case when excluded.last_seen_ms > alarm.last_seen_ms or ${isAhead('last_seen_ms')}
          then excluded.last_seen_ms else alarm.last_seen_ms end`,
        dismissed_ms: sql<number>`case when excluded.last_seen_ms - alarm.dismissed_ms > ${DISMISSED_FOR_MS}
          or ${isAhead('dismissed_ms')} then 0 else alarm.dismissed_ms end`,
      }),
    )
    .execute()
  const kept = db.selectFrom('alarm').select('id').orderBy('last_seen_ms', 'desc').limit(KEPT)
  await db.deleteFrom('alarm').where('id', 'not in', kept).execute()
}

/**
 * Makes these the only alarms of a kind, for conditions that last until they are fixed: alarms of past conditions are removed. `at`
 * is unix milliseconds. At most a few hundred at a time.
 */
export async function replaceAlarms(
  db: Kysely<Schema>,
  kind: string,
  present: readonly Pick<AlarmReport, 'subject' | 'channelId'>[],
  at: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('alarm')
      .select(['id', 'subject', 'channel_id as channelId'])
      .where('kind', '=', kind)
      .execute()
    const lasting = new Set(present.map(({ subject, channelId }) => `${channelId} ${subject}`))
    const ended = known.filter(({ subject, channelId }) => !lasting.has(`${channelId} ${subject}`)).map(({ id }) => id)
    if (ended.length > 0) await trx.deleteFrom('alarm').where('id', 'in', ended).execute()
    const reports = present.map((each) => ({ kind, ...each, occurrences: 0, firstSeen: at, lastSeen: at }))
    await reportAlarms(trx, reports)
  })
}

/** Whether this time in a known alarm was written by a clock that was ahead, judging by the incoming report. */
function isAhead(column: 'first_seen_ms' | 'last_seen_ms' | 'dismissed_ms'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`alarm.${column}`)} > excluded.last_seen_ms + ${sql.lit(CLOCKS_DIFFER_MS)}`
}

/** One page of alarms that have not been dismissed, latest first, without the hidden kinds. */
export async function listAlarms(
  db: Kysely<Schema>,
  page: Page,
  hidden: readonly string[] = [],
): Promise<{ readonly rows: readonly AlarmRow[]; readonly total: number }> {
  const open = db
    .selectFrom('alarm')
    .where('dismissed_ms', '=', 0)
    .$if(hidden.length > 0, (query) => query.where('kind', 'not in', hidden))
  const latestFirst = open
    .leftJoin('channel', 'channel.id', 'alarm.channel_id')
    .select([
      'alarm.id',
      'alarm.kind',
      'alarm.subject',
      'alarm.channel_id as channelId',
      'channel.name as channelName',
      'alarm.first_seen_ms as firstSeen',
      'alarm.last_seen_ms as lastSeen',
      'alarm.occurrences',
    ])
    .orderBy('alarm.last_seen_ms', 'desc')
    .orderBy('alarm.id', 'desc')
  const { rows, total } = await readPage(latestFirst, open, page)
  return { rows: rows.map((row) => ({ ...row, channelName: row.channelName ?? '' })), total }
}

/** False when there is no such alarm, it is of a hidden kind, or it was dismissed before. */
export async function dismissAlarm(
  db: Kysely<Schema>,
  id: number,
  now: number,
  hidden: readonly string[] = [],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alarm')
    .set({ dismissed_ms: now })
    .where('id', '=', id)
    .where('dismissed_ms', '=', 0)
    .$if(hidden.length > 0, (query) => query.where('kind', 'not in', hidden))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
