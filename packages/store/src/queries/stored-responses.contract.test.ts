import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findStoredResponses, forgetResponse, storeResponses } from './stored-responses.ts'

const DAY_MS = 86_400_000
const MINE = { userId: 1, channelId: 7, key: 'a1', model: 'm' }

describe.each(databaseEngines)('stored responses on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const keep = (ids: readonly string[], owner = MINE, now = DAY_MS) => storeResponses(database.kysely, ids, owner, now)
  const find = (ids: readonly string[], userId = 1) => findStoredResponses(database.kysely, ids, userId)

  test('are found only by their owner', async () => {
    await keep(['resp_1', 'msg_1'])
    expect(await find(['resp_1', 'resp_2'])).toEqual([{ id: 'resp_1', ...MINE }])
    expect(await find(['resp_1', 'msg_1'], 2)).toEqual([])
    expect(await find([])).toEqual([])
  })

  test('keep their owner when another channel gives the same id again', async () => {
    await keep(['resp_1'])
    await keep(['resp_1'], { ...MINE, userId: 2 })
    expect(await find(['resp_1'], 2)).toEqual([])
    expect(await find(['resp_1'])).toHaveLength(1)
  })

  test('cannot be named by a text that no column takes', async () => {
    await keep(['resp_1', 'resp_\u0000'])
    expect(await find(['resp_1', 'resp_\u0000', '\u0000'])).toEqual([{ id: 'resp_1', ...MINE }])
    expect(await find(['\u0000'])).toEqual([])
  })

  test('are forgotten when they were deleted, and after thirty days', async () => {
    await keep(['resp_1', 'resp_2'])
    await forgetResponse(database.kysely, 'resp_1')
    expect(await find(['resp_1', 'resp_2'])).toMatchObject([{ id: 'resp_2' }])
    await keep(['resp_3'], MINE, 31 * DAY_MS + 1)
    expect(await find(['resp_2', 'resp_3'])).toMatchObject([{ id: 'resp_3' }])
  })
})
