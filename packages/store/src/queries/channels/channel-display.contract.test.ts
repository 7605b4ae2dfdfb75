import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listChannelHealth, sumChannelHealth } from './channel-display.ts'

describe.each(databaseEngines)('what anyone may see of channels on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    await addChannel(database.kysely, { name: 'Azure 1', response_time: 500 })
    await addChannel(database.kysely, { name: 'azure_2', status: 3, response_time: 4_000 })
    await addChannel(database.kysely, { name: 'other' })
  })
  afterAll(() => database.close())

  const names = async (keyword: string, page = { limit: 6, offset: 0 }) => {
    const { rows, total } = await listChannelHealth(database.kysely, page, keyword)
    return { total, names: rows.map(({ name }) => name) }
  }

  test('is listed newest first, in pages, with the number of all that match', async () => {
    expect(await names('')).toEqual({ total: 3, names: ['other', 'azure_2', 'Azure 1'] })
    expect(await names('', { limit: 2, offset: 2 })).toEqual({ total: 3, names: ['Azure 1'] })
  })

  test(
    'is found by a part of the name in any case, with special characters taken literally',
    { tags: 'S7' },
    async () => {
      expect(await names('ZURE')).toEqual({ total: 2, names: ['azure_2', 'Azure 1'] })
      expect(await names('e_')).toEqual({ total: 1, names: ['azure_2'] })
      expect(await names('%')).toEqual({ total: 0, names: [] })
    },
  )

  test('is summed by status, leaving out what was never tested', async () => {
    const sums = await sumChannelHealth(database.kysely)
    expect(sums.toSorted((a, b) => a.status - b.status)).toEqual([
      { status: 1, channels: 2, responseTime: 500, tested: 1 },
      { status: 3, channels: 1, responseTime: 4_000, tested: 1 },
    ])
  })
})
