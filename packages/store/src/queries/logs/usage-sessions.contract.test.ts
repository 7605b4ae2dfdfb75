import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addLog, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LOG_SORT_COLUMNS } from './log-choice.ts'
import { deleteLogSumsBefore } from './log-clearing.ts'
import { logHistogram } from './log-histogram.ts'
import { listLogs, sumLogs } from './logs.ts'
import { listedSince, listSessions, type SessionFilter, type SessionOrder } from './usage-sessions.ts'

const LATEST: SessionOrder = { sort: 'last', direction: 'desc', after: undefined, limit: 100 }
const HOUR = 3_600
const page = { limit: 100, offset: 0 }

describe.each(databaseEngines)('sessions on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  /** One call of a session; `at` in hours. */
  const call = (session: string, at: number, values: Partial<Parameters<typeof addLog>[1]> = {}) =>
    addLog(database.kysely, { created_at: at * HOUR, session, client: 'codex', elapsed_ms: 0, ...values })
  const names = async (filter: SessionFilter, order: Partial<SessionOrder> = {}) =>
    (await listSessions(database.kysely, filter, { ...LATEST, ...order })).rows.map(({ session }) => session)

  test('are found by user, token and time, latest call first', async () => {
    const ann = await addUser(database.kysely, { username: 'ann' })
    await call('a', 1, { user_id: ann, username: 'ann', token_id: 1 })
    await call('a', 5, { user_id: ann, username: 'ann', token_id: 1 })
    await call('b', 3, { user_id: ann, username: 'ann', token_id: 2, token_name: 'laptop' })
    await call('c', 4, { user_id: 99, username: 'gone', token_id: 3 })
    await call('', 4)
    const { rows, next, among } = await listSessions(database.kysely, {}, LATEST)
    expect(rows.map(({ session, username, calls }) => [session, username, calls])).toEqual([
      ['a', 'ann', 2],
      ['c', '', 1],
      ['b', 'ann', 1],
    ])
    expect([next, among]).toEqual([undefined, undefined])
    expect(await names({ userId: ann })).toEqual(['a', 'b'])
    expect(await names({ username: 'gone' })).toEqual(['c'])
    expect(await names({ tokenName: 'laptop' })).toEqual(['b'])
    expect(await names({ from: 4 * HOUR })).toEqual(['a', 'c'])
    expect(await names({ to: 4 * HOUR })).toEqual(['c', 'b'])
    expect(await names({ session: 'b' })).toEqual(['b'])
    expect(await names({ session: 'b', userId: 99 })).toEqual([])
  })

  test.each(['last', 'cost', 'duration'] as const)(
    'by %s come page by page, each once, in either direction',
    async (sort) => {
      for (let at = 0; at < 23; at++) {
        // Many values are equal, and so are some times.
        await call(`s${at}`, 10 + (at % 5), { amount: BigInt(at % 3), token_id: at % 4 })
        if (at % 2 === 0) await call(`s${at}`, 20 + (at % 7), { amount: 0n, token_id: at % 4 })
      }
      for (const direction of ['desc', 'asc'] as const) {
        const seen: string[] = []
        let after: SessionOrder['after']
        const values: number[] = []
        do {
          const found = await listSessions(database.kysely, {}, { sort, direction, after, limit: 4 })
          for (const row of found.rows) {
            seen.push(row.session)
            values.push({ last: row.last_at, cost: Number(row.amount), duration: row.last_at - row.first_at }[sort])
          }
          after = found.next
        } while (after !== undefined)
        expect(new Set(seen).size).toBe(23)
        expect(seen).toHaveLength(23)
        expect(values).toEqual(values.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)))
      }
    },
  )

  test('by cost are ordered among the latest only, when there are very many', async () => {
    for (let at = 0; at < 9; at++) await call(`s${at}`, at, { amount: BigInt(100 - at) })
    const order = { ...LATEST, sort: 'cost', limit: 3 } as const
    const found = await listSessions(database.kysely, {}, order, 5)
    expect(found.rows.map(({ session }) => session)).toEqual(['s4', 's5', 's6'])
    expect(found.among).toBe(5)
    expect((await listSessions(database.kysely, {}, order, 9)).among).toBeUndefined()
  })

  test('have their calls in the log, in any order, with other conditions, sums and a histogram', async () => {
    for (let at = 0; at < 12; at++) {
      const amount = BigInt((at * 7) % 12)
      await call('mine', at * 5, { model_name: `m${at % 3}`, amount, content: `${at}`, channel_id: at % 2 })
      await call('other', at * 5, { amount: 1_000n })
    }
    const filter = { session: 'mine' }
    for (const column of new Set(Object.values(LOG_SORT_COLUMNS))) {
      const found = await listLogs(database.kysely, filter, { column, direction: 'asc' }, page)
      expect([found.total, new Set(found.rows.map(({ content }) => content)).size]).toEqual([12, 12])
      const values = found.rows.map((row) => row[column])
      expect(values).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    }
    const newest = { column: 'created_at', direction: 'desc' } as const
    const second = await listLogs(database.kysely, filter, newest, { limit: 3, offset: 3 })
    expect(second.rows.map(({ content }) => content)).toEqual(['8', '7', '6'])
    const some = { session: 'mine', model: 'm1', from: 15 * HOUR }
    expect((await listLogs(database.kysely, some, newest, page)).rows.map(({ content }) => content)).toEqual([
      '10',
      '7',
      '4',
    ])
    expect((await listLogs(database.kysely, { ...filter, userId: 5 }, newest, page)).total).toBe(0)
    expect(await sumLogs(database.kysely, filter)).toBe(66n)
    const { buckets } = await logHistogram(database.kysely, filter)
    expect(buckets.reduce((sum, { entries }) => sum + entries, 0)).toBe(12)
  })

  test('of very many calls show the newest of them', async () => {
    for (let at = 1; at <= 7; at++) await call('long', at)
    expect(await listedSince(database.kysely, 'long', 7)).toBeUndefined()
    const from = await listedSince(database.kysely, 'long', 3)
    const newest = { column: 'created_at', direction: 'desc' } as const
    expect((await listLogs(database.kysely, { session: 'long', from }, newest, page)).total).toBe(3)
  })

  test('are cleared with their last call', async () => {
    await call('old', 1)
    await call('kept', 1)
    await call('kept', 3)
    for (const deleteOld of deleteLogSumsBefore) await deleteOld(database.kysely, 2 * HOUR, 100)
    expect(await names({})).toEqual(['kept'])
  })
})
