import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addLog, addTrace } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LOG_SORT_COLUMNS } from './log-choice.ts'
import { deleteLogsBefore } from './log-clearing.ts'
import type { LogFilter } from './log-filter.ts'
import { countLogs, findLog, insertLog, listLogs, searchLogs, sumLogs } from './logs.ts'
import { deleteTracesBefore, findTrace } from './traces.ts'

const page = { limit: 10, offset: 0 }
const newest = { column: 'created_at', direction: 'desc' } as const

describe.each(databaseEngines)('logs on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const contents = async (filter: LogFilter): Promise<readonly string[]> => {
    const { rows, total } = await listLogs(database.kysely, filter, newest, page)
    expect(total).toBe(rows.length)
    return rows.map((row) => row.content)
  }
  const found = async (keyword: string): Promise<readonly string[]> => {
    const { rows, total } = await searchLogs(database.kysely, {}, keyword, page)
    expect(total).toBe(rows.length)
    return rows.map((row) => row.content)
  }

  test('are found by each condition and by all of them together', async () => {
    const db = database.kysely
    await addLog(db, { created_at: 10, content: 'a', user_id: 1, username: 'ann', channel_id: 1 })
    await addLog(db, { created_at: 20, content: 'b', user_id: 2, username: 'bob', channel_id: 2, model_name: 'o3' })
    await addLog(db, { created_at: 30, content: 'c', user_id: 2, username: 'bob', token_name: 't', channel_id: 2 })
    await addLog(db, { created_at: 40, content: 'd', user_id: 1, username: 'ann', type: 3, request_id: 'ab' })
    expect(await contents({})).toEqual(['d', 'c', 'b', 'a'])
    expect(await contents({ userId: 2 })).toEqual(['c', 'b'])
    expect(await contents({ username: 'ann' })).toEqual(['d', 'a'])
    expect(await contents({ channelId: 2 })).toEqual(['c', 'b'])
    expect(await contents({ from: 20, to: 30 })).toEqual(['c', 'b'])
    expect(await contents({ type: 3 })).toEqual(['d'])
    expect(await contents({ model: 'o3' })).toEqual(['b'])
    expect(await contents({ tokenName: 't' })).toEqual(['c'])
    expect(await found('ab')).toEqual(['d'])
    expect(await found('O3')).toEqual(['b'])
    expect(await contents({ userId: 2, channelId: 2, from: 1, to: 99, type: 2, model: 'o3' })).toEqual(['b'])
    expect(await sumLogs(db, { userId: 2 })).toBe(2_000n)
    expect(await sumLogs(db, { userId: 1 })).toBe(1_000n)
    expect(await sumLogs(db, { model: 'none' })).toBe(0n)
  })

  test('are searched without wildcards', { tags: 'S7' }, async () => {
    await addLog(database.kysely, { created_at: 1, content: 'paid 100% at_once' })
    await addLog(database.kysely, { created_at: 2, content: 'nothing' })
    expect(await found('0% at_')).toEqual(['paid 100% at_once'])
    expect(await found('%%')).toEqual([])
    expect(await found('__')).toEqual([])
  })

  test('are sorted by every column and paged', async () => {
    const db = database.kysely
    for (const [at, amount] of [1n, 3n, 2n].entries()) await addLog(db, { created_at: at, amount, elapsed_ms: 3 - at })
    for (const column of new Set(Object.values(LOG_SORT_COLUMNS))) {
      for (const direction of ['asc', 'desc'] as const) {
        const { rows } = await listLogs(db, { type: 2 }, { column, direction }, { limit: 2, offset: 1 })
        expect(rows).toHaveLength(2)
      }
    }
    const { rows: dearest } = await listLogs(db, {}, { column: 'amount', direction: 'desc' }, page)
    expect(dearest.map((row) => row.amount)).toEqual([3n, 2n, 1n])
    const { rows: oldest } = await listLogs(db, { type: 2 }, { column: 'created_at', direction: 'asc' }, page)
    expect(oldest.map((row) => row.created_at)).toEqual([0, 1, 2])
    expect(typeof oldest[0]?.id).toBe('number')
  })

  test('of tests and management acts are written without a charge', async () => {
    const db = database.kysely
    await insertLog(db, { type: 5, createdAt: 9, userId: 1, username: 'root', content: 'ok', model: 'm', elapsedMs: 4 })
    expect(await findLog(db, 1)).toMatchObject({
      type: 5,
      amount: 0n,
      model_name: 'm',
      elapsed_ms: 4,
      request_id: null,
    })
    expect(await findLog(db, 4_000_000_000)).toBeUndefined()
  })

  test('before a time are deleted in chunks, with their traces', async () => {
    const db = database.kysely
    const second = 1_763_600_000
    for (let at = second; at < second + 5; at++) {
      await addLog(db, { created_at: at })
      await addTrace(db, {
        request_id: `${(at * 1_000).toString(16).padStart(12, '0')}7${'f'.repeat(19)}`,
        received_ms: at * 1_000,
      })
    }
    expect(await countLogs(db, { to: second + 2 })).toBe(3)
    expect(await deleteLogsBefore(db, second + 3, 2)).toBe(2)
    expect(await deleteLogsBefore(db, second + 3, 2)).toBe(1)
    expect(await deleteLogsBefore(db, second + 3, 2)).toBe(0)
    expect(await countLogs(db, { from: second + 3 })).toBe(2)
    expect(await deleteTracesBefore(db, second + 3, 2)).toBe(2)
    expect(await deleteTracesBefore(db, second + 3, 2)).toBe(1)
    expect(await deleteTracesBefore(db, second + 3, 2)).toBe(0)
    const kept = `${((second + 3) * 1_000).toString(16).padStart(12, '0')}7${'f'.repeat(19)}`
    expect(await findTrace(db, kept)).toMatchObject({ received_ms: (second + 3) * 1_000, user_id: 1 })
  })
})
