import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addLog } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LogFilter } from './log-filter.ts'
import { HISTOGRAM_BUCKETS_MAX, HISTOGRAM_ROWS_MAX, logHistogram } from './log-histogram.ts'
import { tallyLogs, totalOf } from './log-tally.ts'
import { sumLogs } from './logs.ts'

const DAY = 86_400
const HOUR = 3_600
const MIDNIGHT = 20_400 * DAY

describe.each(databaseEngines)('a histogram of logs on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const shape = async (filter: LogFilter) => {
    const { seconds, buckets } = await logHistogram(database.kysely, filter)
    return {
      seconds,
      buckets: buckets.map(({ start, entries, amount }) => [start - MIDNIGHT, entries, Number(amount)]),
    }
  }

  test('is as fine as its window is short', async () => {
    for (const at of [0, 59, 60, HOUR + 1, 30 * HOUR]) await addLog(database.kysely, { created_at: MIDNIGHT + at })
    expect(await shape({ from: MIDNIGHT, to: MIDNIGHT + HOUR - 1 })).toEqual({
      seconds: 60,
      buckets: [
        [0, 2, 2_000],
        [60, 1, 1_000],
      ],
    })
    expect(await shape({ from: MIDNIGHT, to: MIDNIGHT + 2 * DAY - 1 })).toEqual({
      seconds: 1_800,
      buckets: [
        [0, 3, 3_000],
        [HOUR, 1, 1_000],
        [30 * HOUR, 1, 1_000],
      ],
    })
    expect(await shape({ from: MIDNIGHT - 99 * DAY, to: MIDNIGHT + 2 * DAY - 1 })).toEqual({
      seconds: DAY,
      buckets: [
        [0, 4, 4_000],
        [DAY, 1, 1_000],
      ],
    })
    const decade = await shape({ from: MIDNIGHT - 3_650 * DAY, to: MIDNIGHT + 2 * DAY - 1 })
    expect(decade.seconds).toBe(31 * DAY)
    expect(decade.buckets.map(([, entries]) => entries)).toEqual([5])
    expect(await shape({ from: 9, to: 8 })).toEqual({ seconds: DAY, buckets: [] })
  })

  test('counts what the list lists and sums what the total sums, by every condition', async () => {
    const db = database.kysely
    await addLog(db, { created_at: MIDNIGHT + 10, user_id: 1, channel_id: 1, username: 'ann' })
    await addLog(db, { created_at: MIDNIGHT + 20, user_id: 2, channel_id: 2, username: 'bob', model_name: 'o3' })
    await addLog(db, { created_at: MIDNIGHT + HOUR, user_id: 2, channel_id: 2, username: 'bob', token_name: 't' })
    await addLog(db, { created_at: MIDNIGHT + 2 * HOUR, user_id: 1, username: 'ann', type: 3 })
    const conditions: readonly LogFilter[] = [
      {},
      { userId: 2 },
      { username: 'ann' },
      { channelId: 2 },
      { type: 3 },
      { type: 2 },
      { model: 'o3' },
      { tokenName: 't' },
      { userId: 2, channelId: 2, type: 2, model: 'o3' },
      { model: 'none' },
    ]
    const window = { from: MIDNIGHT + 10, to: MIDNIGHT + 2 * HOUR }
    for (const condition of conditions) {
      const filter = { ...condition, ...window }
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const { buckets } = await logHistogram(db, filter)
      expect(buckets.reduce((sum, { entries }) => sum + entries, 0)).toBe(totalOf(await tallyLogs(db, filter)))
      const charged = buckets.reduce((sum, { amount }) => sum + amount, 0n)
      expect(charged).toBe(condition.type === 3 ? 0n : await sumLogs(db, filter))
    }
  })

  test('reads no more rows than allowed: days supply the rest', async () => {
    const db = database.kysely
    await addLog(db, { created_at: MIDNIGHT })
    // Only the roll-up counts; writing as many rows would take minutes.
    await db
      .updateTable('log_daily_model')
      .set({ entries: HISTOGRAM_ROWS_MAX.byTime + 1 })
      .execute()
    expect(await shape({ from: MIDNIGHT, to: MIDNIGHT + 2 * DAY - 1 })).toEqual({
      seconds: DAY,
      buckets: [[0, HISTOGRAM_ROWS_MAX.byTime + 1, 1_000]],
    })
  })

  test('passes no more rows of other types than allowed', { tags: 'S27' }, async () => {
    const db = database.kysely
    await addLog(db, { created_at: MIDNIGHT })
    await addLog(db, { created_at: MIDNIGHT + HOUR, type: 3 })
    const rolledUp = (type: number, entries: number) =>
      db.updateTable('log_daily_model').set({ entries }).where('type', '=', type).execute()
    await rolledUp(2, HISTOGRAM_ROWS_MAX.byTime)
    // A few rows are still found one by one.
    const window = { from: MIDNIGHT, to: MIDNIGHT + 2 * DAY - 1, type: 3 }
    expect(await shape(window)).toEqual({ seconds: 1_800, buckets: [[HOUR, 1, 0]] })
    const many = HISTOGRAM_ROWS_MAX.bySeries + 1
    await rolledUp(3, many)
    expect(await shape(window)).toEqual({ seconds: DAY, buckets: [[0, many, 0]] })
  })

  test('of an open time spans its rows', async () => {
    expect(await shape({})).toEqual({ seconds: DAY, buckets: [] })
    for (const day of [0, 1, HISTOGRAM_BUCKETS_MAX - 1]) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await addLog(database.kysely, { created_at: MIDNIGHT + day * DAY })
    }
    expect(await shape({})).toMatchObject({ seconds: DAY })
    expect(await shape({ to: MIDNIGHT + 2 * DAY - 1 })).toMatchObject({ seconds: 1_800 })
    await addLog(database.kysely, { created_at: MIDNIGHT + HISTOGRAM_BUCKETS_MAX * DAY })
    expect((await shape({})).seconds).toBe(2 * DAY)
  })
})
