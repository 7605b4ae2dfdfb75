import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ALIVE_MS,
  beginBackground,
  cancelBackground,
  endBackground,
  findBackground,
  forgetBackground,
  KEPT_MS,
  renewBackground,
  USER_BYTES,
} from './background-responses.ts'

const [MINE, OTHERS] = [1, 2]
const DONE = { status: 'completed', sealed: 'answer', providerId: 'resp_p' } as const

describe.each(databaseEngines)('background responses on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const begin = (id: string, userId = MINE, now = 0) =>
    beginBackground(database.kysely, { id, userId, sealed: 'head' }, now)
  const find = (id: string, userId = MINE, now = 1) => findBackground(database.kysely, id, userId, now)
  const end = (id: string, now = 1, more: object = {}) => endBackground(database.kysely, id, { ...DONE, ...more }, now)

  test('are found by their owner alone, before and after their end', async () => {
    await begin('a')
    expect(await find('a')).toEqual({ id: 'a', status: 'in_progress', sealed: 'head', providerId: '', isAlive: true })
    await end('a')
    expect(await find('a')).toEqual({ id: 'a', ...DONE, isAlive: false })
    expect(await find('a', OTHERS)).toBeUndefined()
    expect(await find('b')).toBeUndefined()
  })

  test('are kept for an hour after their end, and then removed by those that begin later', async () => {
    await begin('a')
    await end('a', 10)
    expect(await find('a', MINE, 9 + KEPT_MS)).toBeDefined()
    expect(await find('a', MINE, 10 + KEPT_MS)).toBeUndefined()
    await begin('b', OTHERS, 10 + KEPT_MS)
    expect(await find('a')).toBeUndefined()
  })

  test('are not alive any more when nobody has said so for a while; then there is nothing to cancel', async () => {
    await begin('a')
    await begin('b')
    expect(await renewBackground(database.kysely, ['a', 'gone'], ALIVE_MS - 1)).toEqual(['a'])
    expect(await find('a', MINE, ALIVE_MS)).toMatchObject({ isAlive: true })
    expect(await find('b', MINE, ALIVE_MS)).toMatchObject({ isAlive: false })
    expect(await cancelBackground(database.kysely, 'b', MINE, ALIVE_MS)).toBe(false)
  })

  test('are cancelled once, by their owner, and what comes later changes nothing', async () => {
    await begin('a')
    expect(await cancelBackground(database.kysely, 'a', OTHERS, 1)).toBe(false)
    expect(await cancelBackground(database.kysely, 'a', MINE, 1)).toBe(true)
    expect(await cancelBackground(database.kysely, 'a', MINE, 1)).toBe(false)
    await end('a')
    expect(await find('a')).toMatchObject({ status: 'cancelled', sealed: 'head' })
    expect(await renewBackground(database.kysely, ['a'], 1)).toEqual([])
  })

  test('are deleted by their owner, and not made again by their end', async () => {
    await begin('a')
    expect(await forgetBackground(database.kysely, 'a', OTHERS)).toBe(false)
    expect(await forgetBackground(database.kysely, 'a', MINE)).toBe(true)
    await end('a')
    expect(await find('a')).toBeUndefined()
  })

  test('of a user who keeps too much are dropped, oldest first, and nobody else’s', { tags: 'S27' }, async () => {
    for (const id of ['other', 'a', 'b', 'c', 'running']) await begin(id, id === 'other' ? OTHERS : MINE)
    await end('other', 1)
    // Rows record their size, so the test need not write as much.
    await end('a', 2)
    await end('b', 3)
    await database.kysely
      .updateTable('background_response')
      .set({ bytes: USER_BYTES / 2 })
      .execute()
    await end('c', 4)
    expect(await find('a', MINE, 5)).toBeUndefined()
    for (const id of ['b', 'c', 'running']) expect(await find(id, MINE, 5)).toBeDefined()
    expect(await find('other', OTHERS, 5)).toBeDefined()
  })
})
