import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findRootEmail } from './recipients.ts'

describe.each(databaseEngines)('recipients on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const add = (username: string, posted: bigint, more: object = {}) =>
    addUser(database.kysely, { username, email: `${username}@example.com`, ...more }, { posted })

  test('the first root user with an address receives mail for the operators', async () => {
    expect(await findRootEmail(database.kysely)).toBeUndefined()
    await add('admin', 0n, { role: 10 })
    await add('root', 0n, { role: 100, email: '' })
    await add('gone', 0n, { role: 100, status: 2 })
    await add('second', 0n, { role: 100 })
    expect(await findRootEmail(database.kysely)).toBe('second@example.com')
  })
})
