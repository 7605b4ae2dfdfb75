import { type Kysely, sql } from 'kysely'
import { asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'

/** In seconds: a slot's length, how long it is kept, how much is removed at once. A call counts in one slot of each length. */
const HISTORY_SPANS = [
  { span: 300, kept: 26 * 3_600, step: 2 * 3_600 },
  { span: 3_600, kept: 8 * 86_400, step: 2 * 3_600 },
  { span: 86_400, kept: 100 * 86_400, step: 86_400 },
] as const

/** Calls to a channel since the last report. */
export interface ChannelCalls {
  readonly channelId: number
  /** Unix seconds of the five-minute slot in which they ended. */
  readonly start: number
  readonly answered: number
  readonly failed: number
}

/** Rows in one statement; each binds five values, and SQLite takes 32,766. */
const ROWS = 1_000

/** Adds calls to the slots that they ended in. Replicas can report at the same time: their counts are added up. */
export async function addChannelCalls(db: Kysely<Schema>, calls: readonly ChannelCalls[]): Promise<void> {
  const slots = new Map<string, { channel_id: number; span_s: number; start_s: number } & Counts>()
  for (const { channelId, start, answered, failed } of calls) {
    for (const { span } of HISTORY_SPANS) {
      const start_s = start - (start % span)
      const key = `${channelId} ${span} ${start_s}`
      const slot = slots.get(key) ?? { channel_id: channelId, span_s: span, start_s, answered: 0, failed: 0 }
      slots.set(key, { ...slot, answered: slot.answered + answered, failed: slot.failed + failed })
    }
  }
  // In the same order everywhere, so that two replicas never wait for each other's rows.
  const rows = [...slots.values()].sort(
    (a, b) => a.channel_id - b.channel_id || a.span_s - b.span_s || a.start_s - b.start_s,
  )
  for (let first = 0; first < rows.length; first += ROWS) {
    await db
      .insertInto('channel_history')
      .values(rows.slice(first, first + ROWS))
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'span_s', 'start_s']).doUpdateSet({
          answered: sql<number>`channel_history.answered + excluded.answered`,
          failed: sql<number>`channel_history.failed + excluded.failed`,
        }),
      )
      .execute()
  }
}

/**
 * Removes slots that have been kept as long as their length allows, and those of deleted channels. Call it every hour: it removes
 * as fast as slots arrive, and a clock that is ahead for an hour costs only the oldest two hours or day. `now` in unix seconds.
 */
export async function forgetOldCalls(db: Kysely<Schema>, now: number): Promise<void> {
  for (const { span, kept, step } of HISTORY_SPANS) {
    const ofSpan = db.selectFrom('channel_history').where('span_s', '=', span)
    const row = await ofSpan.select((eb) => eb.fn.min('start_s').as('oldest')).executeTakeFirst()
    const oldest = asNumber(row?.oldest ?? 0)
    await db
      .deleteFrom('channel_history')
      .where('span_s', '=', span)
      .where('start_s', '<', Math.min(now - kept, oldest + step))
      .execute()
  }
  const known = db.selectFrom('channel').select('id')
  await db.deleteFrom('channel_history').where('channel_id', 'not in', known).execute()
}

interface Counts {
  readonly answered: number
  readonly failed: number
}

export interface HistoryBar extends Counts {
  readonly channelId: number
  /** Counted from 0, the oldest. */
  readonly bar: number
}

export interface HistoryRange {
  /** 300, 3,600 or 86,400. */
  readonly span: number
  /** Unix seconds of the first bar; a multiple of `width`. */
  readonly from: number
  /** Seconds of a bar; a multiple of `span`. */
  readonly width: number
}

/** The bars of the given channels, without empty ones. Ask for at most a page of channels at a time. */
export async function readChannelHistory(
  db: Kysely<Schema>,
  channels: readonly number[],
  { span, from, width }: HistoryRange,
): Promise<readonly HistoryBar[]> {
  if (channels.length === 0) return []
  const rows = await db
    .selectFrom('channel_history')
    .select((eb) => [
      'channel_id',
      // Whole numbers on both engines, whatever type the column has there.
      sql<number | bigint>`(cast(start_s as bigint) - cast(${from} as bigint)) / cast(${width} as bigint)`.as('bar'),
      eb.fn.sum<number | bigint>('answered').as('answered'),
      eb.fn.sum<number | bigint>('failed').as('failed'),
    ])
    .where('channel_id', 'in', channels)
    .where('span_s', '=', span)
    .where('start_s', '>=', from)
    .groupBy(['channel_id', sql`bar`])
    .orderBy('channel_id')
    .orderBy(sql`bar`)
    .execute()
  return rows.map(({ channel_id: channelId, bar, answered, failed }) => ({
    channelId,
    bar: asNumber(bar),
    answered: asNumber(answered),
    failed: asNumber(failed),
  }))
}
