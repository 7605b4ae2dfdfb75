import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteOtherSessionsOf, deleteSessionOf, insertSession, listSessionsOf } from './sessions.ts'

const NOW = 1_700_000_000

describe.each(databaseEngines)('where a user is signed in, on %s', (engine) => {
  let database: TestDatabase
  let ann: number
  let bob: number
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    ann = await addUser(database.kysely, { username: 'ann' })
    bob = await addUser(database.kysely, { username: 'bob' })
  })
  afterAll(() => database.close())

  const start = (userId: number, idHash: string, at = NOW, place = {}) =>
    insertSession(database.kysely, { idHash, userId, now: at, expires: at + 100, replaces: undefined, ...place })
  const hashes = async (userId: number, at = NOW) =>
    (await listSessionsOf(database.kysely, userId, at)).map(({ idHash }) => idHash)

  test('is listed with where it started, latest first, without what has expired or belongs to another user', async () => {
    await start(ann, 'first', NOW, { userAgent: 'A browser', address: '192.0.2.1' })
    await start(ann, 'second', NOW + 50)
    await start(bob, 'other')
    expect(await listSessionsOf(database.kysely, ann, NOW + 60)).toEqual([
      { idHash: 'second', userAgent: '', address: '', created: NOW + 50, expires: NOW + 150 },
      { idHash: 'first', userAgent: 'A browser', address: '192.0.2.1', created: NOW, expires: NOW + 100 },
    ])
    expect(await hashes(ann, NOW + 100)).toEqual(['second'])
  })

  test('ends one by the start of its hash, and only of its user', async () => {
    await start(ann, 'aaaa1')
    await start(ann, 'bbbb1')
    expect(await deleteSessionOf(database.kysely, bob, 'aaaa')).toBe(false)
    expect(await deleteSessionOf(database.kysely, ann, 'aaa%')).toBe(false)
    expect(await deleteSessionOf(database.kysely, ann, 'aaaa')).toBe(true)
    expect(await deleteSessionOf(database.kysely, ann, 'aaaa')).toBe(false)
    expect(await hashes(ann)).toEqual(['bbbb1'])
  })

  test('ends everywhere except in one place', async () => {
    for (const hash of ['here', 'there', 'elsewhere']) await start(ann, hash)
    await start(bob, 'other')
    expect(await deleteOtherSessionsOf(database.kysely, ann, 'here')).toBe(2)
    expect(await hashes(ann)).toEqual(['here'])
    expect(await hashes(bob)).toEqual(['other'])
  })
})
