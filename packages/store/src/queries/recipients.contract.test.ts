import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimReminder, findLowBalances, findRootEmail, rearmReminders } from './recipients.ts'

describe.each(databaseEngines)('who is written to, on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const add = (username: string, posted: bigint, more: object = {}) =>
    addUser(database.kysely, { username, email: `${username}@example.com`, ...more }, { posted })
  const setPosted = (owner: number, posted: bigint) =>
    database.kysely.updateTable('account').set({ posted }).where('owner_id', '=', owner).execute()

  test('the first root user with an address speaks for the operators', async () => {
    expect(await findRootEmail(database.kysely)).toBeUndefined()
    await add('admin', 0n, { role: 10 })
    await add('root', 0n, { role: 100, email: '' })
    await add('gone', 0n, { role: 100, status: 2 })
    await add('second', 0n, { role: 100 })
    expect(await findRootEmail(database.kysely)).toBe('second@example.com')
  })

  test('a low balance is found once, and again after it has recovered and fallen', async () => {
    const low = await add('low', 999n)
    const ids = [
      low,
      await add('rich', 1_000n),
      await add('off', 1n, { status: 2 }),
      await add('mute', 1n, { email: '' }),
    ]
    const find = async () => (await findLowBalances(database.kysely, ids, 1_000n)).map(({ username }) => username)
    expect(await find()).toEqual(['low'])
    expect(await claimReminder(database.kysely, low, 5)).toBe(true)
    expect(await claimReminder(database.kysely, low, 6)).toBe(false)
    await rearmReminders(database.kysely, 1_000n, 10)
    expect(await find()).toEqual([])
    await setPosted(low, 1_000n)
    await rearmReminders(database.kysely, 1_000n, 10)
    await setPosted(low, 10n)
    expect(await find()).toEqual(['low'])
    expect(await findLowBalances(database.kysely, [], 1_000n)).toEqual([])
  })
})
