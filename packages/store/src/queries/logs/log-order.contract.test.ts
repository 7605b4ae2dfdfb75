import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addLog, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../paging.ts'
import { LOG_SORT_COLUMNS, type ValueSort } from './log-choice.ts'
import { deleteLogsBefore } from './log-clearing.ts'
import { idsByValue } from './log-extremes.ts'
import type { LogFilter } from './log-filter.ts'
import { tallyLogs } from './log-tally.ts'
import { listLogs, type LogRow } from './logs.ts'

const DAY = 86_400
const START = 20_400 * DAY + DAY / 3
const ROWS = 60
const USERS = ['zoe', 'Ann', 'émile', 'bob']

/** Whole days and parts of days at both ends. */
const middle = { from: START + DAY / 4, to: START + 4 * DAY }
const filters: readonly LogFilter[] = [
  {},
  middle,
  { type: 3, ...middle },
  { username: 'bob', ...middle },
  { model: 'b' },
  { channelId: 2, userId: 2 },
  { from: START + 90 * DAY, to: START },
]

describe.each(databaseEngines)('the order of logs on %s', (engine) => {
  let database: TestDatabase
  const rows: LogRow[] = []
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    const db = database.kysely
    for (const username of USERS) await addUser(db, { username })
    for (let at = 0; at < ROWS; at++) {
      const user = 1 + ((at * 7) % 5)
      await addLog(db, {
        // Some at the same second; one row in nine is not a charge.
        created_at: START + Math.floor(at / 2) * Math.floor(DAY / 11),
        type: at % 9 === 0 ? 3 : 2,
        user_id: user,
        username: USERS[user - 1] ?? 'gone',
        token_name: ['t', 'T', 'é', ''][at % 4] ?? '',
        model_name: ['b', 'B', 'a'][at % 3] ?? '',
        channel_id: (at * 5) % 4,
        amount: BigInt((at * 37) % 23),
        prompt_tokens: (at * 31) % 17,
        completion_tokens: at % 2,
        elapsed_ms: (at * 53) % 101,
      })
    }
    rows.push(...(await listLogs(db, {}, { column: 'created_at', direction: 'asc' }, { limit: ROWS, offset: 0 })).rows)
    expect(rows).toHaveLength(ROWS)
  })
  afterAll(() => database.close())

  const isFound = (row: LogRow, filter: LogFilter): boolean =>
    (filter.from === undefined || row.created_at >= filter.from) &&
    (filter.to === undefined || row.created_at <= filter.to) &&
    (filter.type === undefined || row.type === filter.type) &&
    (filter.userId === undefined || row.user_id === filter.userId) &&
    (filter.username === undefined || row.username === filter.username) &&
    (filter.model === undefined || row.model_name === filter.model) &&
    (filter.tokenName === undefined || row.token_name === filter.tokenName) &&
    (filter.channelId === undefined || row.channel_id === filter.channelId)
  const newestFirst = (a: LogRow, b: LogRow): number => b.created_at - a.created_at || b.id - a.id

  const valueOf = (row: LogRow, column: string): string | number => {
    if (column === 'user_id') return USERS[row.user_id - 1] ?? ''
    return column === 'amount' ? Number(row.amount) : row[column as 'type' | 'model_name']
  }
  const compared = (a: string | number, b: string | number): number =>
    typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b)
  const expectedBy = (filter: LogFilter, column: string, direction: 'asc' | 'desc'): readonly number[] => {
    const sign = direction === 'asc' ? 1 : -1
    const byTime = column === 'created_at' ? -sign : 1
    return rows
      .filter((row) => isFound(row, filter))
      .toSorted((a, b) => sign * compared(valueOf(a, column), valueOf(b, column)) || byTime * newestFirst(a, b))
      .map(({ id }) => id)
  }

  const paged = async (size: number, ask: (page: Page) => Promise<readonly number[]>): Promise<readonly number[]> => {
    const ids: number[] = []
    for (let offset = 0; offset <= ROWS; offset += size) ids.push(...(await ask({ limit: size, offset })))
    return ids
  }

  const columns = [...new Set(Object.values(LOG_SORT_COLUMNS))]
  test.each(columns)(
    'by %s is that of its values, then the newest, on every page and by every filter',
    async (column) => {
      for (const [at, filter] of filters.entries()) {
        const directions = at === 0 ? (['asc', 'desc'] as const) : [at % 2 === 0 ? ('asc' as const) : ('desc' as const)]
        for (const direction of directions) {
          const ask = async (page: Page) =>
            (await listLogs(database.kysely, filter, { column, direction }, page)).rows.map(({ id }) => id)
          const expected = expectedBy(filter, column, direction)
          expect(await paged(30, ask), JSON.stringify([filter, direction])).toEqual(expected)
        }
      }
    },
  )

  test.each(['amount', 'prompt_tokens', 'elapsed_ms'] as const)(
    'by %s of more rows than are sorted: the first ones, then the others by time, each once',
    async (column) => {
      const bounds = { rows: 15, first: 10 }
      for (const filter of [{}, { type: 2, ...middle }, { model: 'b' }]) {
        for (const direction of ['asc', 'desc'] as const) {
          const days = await tallyLogs(database.kysely, filter)
          const sorting: ValueSort = { column, direction }
          const all = await idsByValue(database.kysely, filter, sorting, days, { limit: 1, offset: 0 }, bounds)
          const among = all.sorted?.among ?? 0
          const byTime = expectedBy(filter, 'created_at', 'desc')
          // By time alone among all rows, otherwise among the newest.
          if (!('model' in filter)) expect(among).toBe(byTime.length)
          else expect(among).toBeGreaterThanOrEqual(bounds.rows)
          const candidates = new Set(byTime.slice(0, among))
          const first = expectedBy(filter, column, direction)
            .filter((id) => candidates.has(id))
            .slice(0, bounds.first)
          const expected = [...first, ...byTime.filter((id) => !first.includes(id))]
          for (const size of [8, 25]) {
            const ask = async (page: Page) =>
              (await idsByValue(database.kysely, filter, sorting, days, page, bounds)).ids
            expect(await paged(size, ask), JSON.stringify([filter, direction, size])).toEqual(expected)
          }
        }
      }
    },
  )

  test('by users, of more users than are added up at once, with parts of days at both ends', async () => {
    const users = 150
    const many = await openTestDatabase(engine)
    try {
      // Names in the opposite order of ids, and a row of a user without a name.
      for (let at = 0; at < users; at++)
        await addUser(many.kysely, { username: `u${String(users - at).padStart(3, '0')}` })
      for (let at = 0; at <= users; at++) {
        for (const day of [0, 1, 2]) await addLog(many.kysely, { user_id: at + 1, created_at: START + day * DAY })
      }
      const expected = [users + 1, ...Array.from({ length: users }, (_, at) => users - at)].flatMap((id) => [
        id,
        id,
        id,
      ])
      const filter = { from: START - 1, to: START + 2 * DAY + 1 }
      for (const direction of ['asc', 'desc'] as const) {
        const owners: number[] = []
        for (let offset = 0; offset < expected.length; offset += 70) {
          const { rows: page } = await listLogs(
            many.kysely,
            filter,
            { column: 'user_id', direction },
            { limit: 70, offset },
          )
          owners.push(...page.map(({ user_id }) => user_id))
        }
        expect(owners).toEqual(direction === 'asc' ? expected : expected.toReversed())
      }
    } finally {
      await many.close()
    }
  })

  test('by a number, while rows before the horizon are being deleted and the roll-ups still count them', async () => {
    const partly = await openTestDatabase(engine)
    try {
      for (let at = 0; at < ROWS; at++)
        await addLog(partly.kysely, { created_at: START + at * DAY, amount: BigInt(ROWS - at) })
      const horizon = START + 30 * DAY
      await deleteLogsBefore(partly.kysely, horizon, 20)
      const sorting: ValueSort = { column: 'amount', direction: 'desc' }
      const filter = { from: horizon }
      const days = await tallyLogs(partly.kysely, filter)
      const { ids } = await idsByValue(
        partly.kysely,
        filter,
        sorting,
        days,
        { limit: 10, offset: 0 },
        { rows: 15, first: 10 },
      )
      expect(ids).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40])
    } finally {
      await partly.close()
    }
  })
})
