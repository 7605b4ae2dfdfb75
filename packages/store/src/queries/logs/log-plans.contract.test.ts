import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { recordPlans } from '@sluice/testkit/query-plans'
import { addLog, addUsage } from '@sluice/testkit/rows'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Schema } from '../../schema/schema.ts'
import { LOG_SORT_COLUMNS } from './log-choice.ts'
import { deleteLogsBefore, deleteLogSumsBefore } from './log-clearing.ts'
import type { LogFilter } from './log-filter.ts'
import { logHistogram } from './log-histogram.ts'
import { findLog, findLogOfRequest, listLogs, searchLogs, sumLogs } from './logs.ts'
import { listSessions } from './usage-sessions.ts'
import { readUsage } from './usage.ts'

const DAY = 86_400
const NOON = 20_400 * DAY + DAY / 2
const page = { limit: 10, offset: 0 }
const newest = { column: 'created_at', direction: 'desc' } as const
const apart = { models: 5, users: 5, tokens: 5 }

/** From one noon to another, so that there are whole days and parts of days. */
const days = { from: NOON - 7 * DAY, to: NOON + DAY }
const one = { userId: 1, channelId: 1, model: 'gpt-4o', tokenName: 'token' }
const filters = Array.from({ length: 2 ** 5 }, (_, bits): LogFilter => ({
  ...(bits & 1 ? { userId: one.userId } : {}),
  ...(bits & 2 ? { channelId: one.channelId } : {}),
  ...(bits & 4 ? { model: one.model } : {}),
  ...(bits & 8 ? { tokenName: one.tokenName } : {}),
  ...(bits & 16 ? { type: 2 } : {}),
}))
/** The indexes that read a list of everyone's rows sorted by a column; by default those of numbers. */
const WAYS_OF_SORT: Readonly<Record<string, readonly string[]>> = {
  created_at: ['log_time'],
  type: ['log_series', 'log_time'],
  model_name: ['log_series', 'log_time'],
  token_name: ['log_series', 'log_time'],
  user_id: ['log_series', 'log_time'],
  channel_id: ['log_series', 'log_time'],
}
const isByKey = ({ userId, channelId, model, tokenName }: LogFilter): boolean =>
  [userId, channelId, model, tokenName].some((condition) => condition !== undefined)

describe.each(databaseEngines)('query plans on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    for (let at = 0; at < 40; at++) {
      await addLog(database.kysely, {
        created_at: NOON - at * (DAY / 5),
        type: at % 10 === 0 ? 3 : 2,
        user_id: 1 + (at % 3),
      })
      await addUsage(database.kysely, { day: 20_400 - at, user_id: 1 + (at % 3), token_id: 1 + (at % 5) })
    }
  })
  afterAll(() => database.close())

  /** The ways in which `log` was read; a full scan, or an index built on the spot, does not count. */
  const queriesOfLog = async (ask: (db: Kysely<Schema>) => Promise<unknown>): Promise<readonly string[]> => {
    const reads = (await recordPlans(database, ask)).filter(({ table }) => table === 'log')
    expect(reads.filter(({ searched }) => !searched)).toEqual([])
    return [...new Set(reads.map(({ index }) => index))].sort()
  }
  /** PostgreSQL estimates costs from these few rows, and any index will do; SQLite follows its rules. */
  const expectPlans = (ways: readonly string[], expected: readonly string[]): void => {
    if (engine === 'sqlite') expect(ways).toEqual(expected)
    else expect(ways.length).toBeGreaterThan(0)
  }

  test.each(filters)('of a list and a sum by %o', async (filter) => {
    const way = isByKey(filter) ? 'log_series' : 'log_time'
    expectPlans(await queriesOfLog((db) => listLogs(db, { ...filter, ...days }, newest, page)), [way, 'primary key'])
    expectPlans(await queriesOfLog((db) => listLogs(db, filter, newest, page)), [way, 'primary key'])
    expectPlans(await queriesOfLog((db) => sumLogs(db, { ...filter, ...days })), [way])
    expect(await queriesOfLog((db) => sumLogs(db, filter))).toEqual([])
  })

  test.each(filters)('of a histogram by %o', async (filter) => {
    const way = isByKey(filter) ? 'log_series' : 'log_time'
    expectPlans(await queriesOfLog((db) => logHistogram(db, { ...filter, ...days })), [way])
    // A year is read from the roll-ups, and the parts of days at its ends from the index.
    const year = { from: NOON - 365 * DAY, to: NOON }
    expectPlans(await queriesOfLog((db) => logHistogram(db, { ...filter, ...year })), [way])
    expect(await queriesOfLog((db) => logHistogram(db, { ...filter, from: 0, to: 20_500 * DAY - 1 }))).toEqual([])
  })

  test.each([...new Set(Object.values(LOG_SORT_COLUMNS))])('of a list by %s', async (column) => {
    for (const direction of ['asc', 'desc'] as const) {
      const all = await queriesOfLog((db) => listLogs(db, days, { column, direction }, page))
      // The page of the greatest type has rows that are not charges.
      const plain = column === 'type' && direction === 'desc' ? ['log_plain'] : []
      expectPlans(all, [...plain, ...(WAYS_OF_SORT[column] ?? ['log_plain', 'log_time']), 'primary key'])
      const mine = await queriesOfLog((db) => listLogs(db, { ...days, userId: 1 }, { column, direction }, page))
      expectPlans(mine, ['log_series', 'primary key'])
    }
  })

  test('of a session and of its calls', async () => {
    const session = 'named'
    await addLog(database.kysely, { created_at: NOON, session })
    expectPlans(await queriesOfLog((db) => listLogs(db, { session }, newest, page)), ['log_session', 'primary key'])
    expectPlans(await queriesOfLog((db) => sumLogs(db, { session, userId: 1 })), ['log_session'])
    expectPlans(await queriesOfLog((db) => logHistogram(db, { session })), ['log_session'])
    for (const filter of [{}, { userId: 1 }, { userId: 1, session }]) {
      for (const sort of ['last', 'cost', 'duration'] as const) {
        const order = { sort, direction: 'desc', after: undefined, limit: 10 } as const
        const plans = await recordPlans(database, (db) => listSessions(db, filter, order))
        const read = plans.filter(({ table }) => table === 'usage_session')
        if (engine === 'sqlite') expect(read.filter(({ searched }) => !searched)).toEqual([])
        else expect(read.length).toBeGreaterThan(0)
      }
    }
  })

  test('of a search, of a row and of clearing', async () => {
    const word = await queriesOfLog((db) => searchLogs(db, {}, 'nothing has this', page))
    expectPlans(word, ['log_plain', 'log_time', 'primary key'])
    const own = await queriesOfLog((db) => searchLogs(db, { userId: 1 }, 'nothing has this', page))
    expectPlans(own, ['log_plain', 'log_series', 'log_time', 'primary key'])
    expectPlans(await queriesOfLog((db) => findLog(db, 1)), ['primary key'])
    expectPlans(await queriesOfLog((db) => findLogOfRequest(db, 'a request')), ['log_time'])
    const cleared = await queriesOfLog((db) => deleteLogsBefore(db, 1_000, 10))
    expectPlans(cleared, ['log_time', 'primary key'])
    for (const deleteSums of deleteLogSumsBefore) {
      const plans = await recordPlans(database, (db) => deleteSums(db, 1_000, 10))
      expect(plans.filter(({ searched }) => !searched)).toEqual([])
    }
  })

  test('of a dashboard read neither the log nor the sums with every dimension', async () => {
    for (const userId of [undefined, 1]) {
      const plans = await recordPlans(database, (db) => readUsage(db, { from: 20_300, to: 20_400 }, userId, apart))
      const tables = new Set(plans.map(({ table }) => table))
      expect(tables).not.toContain('log')
      expect(tables.has('usage_daily')).toBe(userId !== undefined)
      expect(tables.has('imported_usage')).toBe(userId !== undefined)
      const scanned = plans.filter(({ searched }) => !searched).map(({ table }) => table)
      expect(scanned.filter((table) => table === 'usage_daily' || table === 'imported_usage')).toEqual([])
    }
  })
})
