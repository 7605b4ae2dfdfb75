import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addLog, addUsage } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { modelUsage } from './usage-hours.ts'

const DAY = 86_400
const HOUR = 3_600
const MIDNIGHT = 20_400 * DAY

describe.each(databaseEngines)('usage by model and time on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const use = async (at: number, user_id: number, model: string, amount: bigint) => {
    await addLog(database.kysely, { created_at: MIDNIGHT + at, user_id, model_name: model, amount })
    const sums = { requests: 1, prompt_tokens: 10, completion_tokens: 5 }
    await addUsage(database.kysely, {
      day: 20_400 + Math.floor(at / DAY),
      user_id,
      token_id: at,
      model,
      amount,
      ...sums,
    })
  }
  const read = async (from: number, to: number, userId?: number, most = 100) =>
    (await modelUsage(database.kysely, { from: MIDNIGHT + from, to: MIDNIGHT + to }, userId, most)).map(
      ({ start, model, requests, tokens, amount }) => [start - MIDNIGHT, model, requests, tokens, Number(amount)],
    )

  beforeEach(async () => {
    await use(HOUR - 1, 1, 'a', 1n)
    await use(HOUR, 1, 'a', 2n)
    await use(HOUR + 9, 2, 'a', 4n)
    await use(DAY + 5, 1, 'b', 8n)
    await use(DAY + 9 * HOUR, 1, 'b', 16n)
    await use(2 * DAY + 30, 2, 'c', 32n)
  })

  test('is that of the span: whole days from their sums, the hours of the days that it cuts', async () => {
    expect(await read(HOUR, 2 * DAY + 29)).toEqual([
      [HOUR, 'a', 2, 30, 6],
      [DAY, 'b', 2, 30, 24],
    ])
    expect(await read(0, 3 * DAY - 1)).toEqual([
      [0, 'a', 3, 45, 7],
      [DAY, 'b', 2, 30, 24],
      [2 * DAY, 'c', 1, 15, 32],
    ])
    expect(await read(HOUR, 2 * HOUR)).toEqual([[HOUR, 'a', 2, 30, 6]])
    expect(await read(9, 8)).toEqual([])
  })

  test('can be that of one user', { tags: 'S11' }, async () => {
    expect(await read(0, 2 * DAY + 99, 2)).toEqual([
      [0, 'a', 1, 15, 4],
      [2 * DAY, 'c', 1, 15, 32],
    ])
    expect(await read(HOUR, 2 * HOUR, 1)).toEqual([[HOUR, 'a', 1, 15, 2]])
  })

  test('counts charges only, and stops where it is told to', async () => {
    await addLog(database.kysely, { created_at: MIDNIGHT + HOUR, type: 1, amount: 99n })
    expect(await read(HOUR, HOUR + 99)).toEqual([[HOUR, 'a', 2, 30, 6]])
    expect(await read(0, 3 * DAY - 1, undefined, 2)).toHaveLength(2)
  })
})
