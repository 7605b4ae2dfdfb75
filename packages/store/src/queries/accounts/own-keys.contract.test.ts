import { randomBytes } from 'node:crypto'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOwnKey, sealOwnKey } from '../../own-key-seal.ts'
import { findTokenByKeyHash } from '../../snapshots/tokens.ts'
import { readVersions } from '../../snapshots/versions.ts'
import { createVault } from '../../vault.ts'
import { deleteOwnKey, listOwnKeys, putOwnKey } from './own-keys.ts'
import { deleteUser } from './users.ts'

const vault = createVault([randomBytes(32)])

describe.each(databaseEngines)('own keys on %s', (engine) => {
  let database: TestDatabase
  let ann = 0
  let bob = 0
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    ann = await addUser(database.kysely, { username: 'ann' })
    bob = await addUser(database.kysely, { username: 'bob' })
  })
  afterAll(() => database.close())

  const put = (userId: number, vendor: string, key?: string, fallsBack = false, label = 'mine') => {
    const place = { userId, vendor }
    const stored =
      key === undefined ? undefined : { sealed: sealOwnKey(vault, place, key), fingerprint: key, createdTime: 7 }
    return putOwnKey(database.kysely, { ...place, label, fallsBack }, stored)
  }
  const list = (userId: number) => listOwnKeys(database.kysely, userId)
  const tokensVersion = async () => (await readVersions(database.kysely)).tokens

  test('are one for each user and vendor, and are told to relays by the version of tokens', async () => {
    const before = await tokensVersion()
    const first = await put(ann, 'OpenAI', 'one')
    await put(ann, 'Anthropic', 'two', true)
    await put(bob, 'OpenAI', 'three')
    expect(await put(ann, 'OpenAI', 'four', true, 'new')).toBe(first)
    expect(await list(ann)).toMatchObject([
      { vendor: 'Anthropic', fingerprint: 'two', fallsBack: true },
      { id: first, vendor: 'OpenAI', fingerprint: 'four', label: 'new', fallsBack: true, createdTime: 7 },
    ])
    expect(await list(bob)).toMatchObject([{ fingerprint: 'three', label: 'mine', fallsBack: false }])
    expect(await tokensVersion()).toBe(before + 4)
  })

  test('keep the key where only their settings change, and are not made without one', async () => {
    expect(await put(ann, 'OpenAI')).toBeUndefined()
    const before = await tokensVersion()
    const id = await put(ann, 'OpenAI', 'one')
    expect(await put(ann, 'OpenAI', undefined, true, 'other')).toBe(id)
    expect(await put(bob, 'OpenAI', undefined, true)).toBeUndefined()
    expect(await list(ann)).toMatchObject([{ fingerprint: 'one', label: 'other', fallsBack: true }])
    expect(await tokensVersion()).toBe(before + 2)
  })

  test('are removed by their owner alone', { tags: 'S11' }, async () => {
    const id = (await put(ann, 'OpenAI', 'one')) ?? 0
    expect(await deleteOwnKey(database.kysely, bob, id)).toBe(false)
    const before = await tokensVersion()
    expect(await deleteOwnKey(database.kysely, ann, id)).toBe(true)
    expect(await deleteOwnKey(database.kysely, ann, id)).toBe(false)
    expect(await tokensVersion()).toBe(before + 1)
    expect(await list(ann)).toEqual([])
  })

  test('end with their user', async () => {
    await put(ann, 'OpenAI', 'one')
    await put(bob, 'OpenAI', 'two')
    expect(await deleteUser(database.kysely, ann, 100)).toBe(true)
    expect(await database.kysely.selectFrom('own_key').select('user_id').execute()).toEqual([{ user_id: bob }])
  })

  test('come with the token of their user, and open in their own place only', { tags: ['S11', 'S19'] }, async () => {
    await addToken(database.kysely, { user_id: ann, name: 'a', key_hash: 'a' })
    await addToken(database.kysely, { user_id: bob, name: 'b', key_hash: 'b' })
    await put(ann, 'OpenAI', 'one', true)
    await put(ann, 'Anthropic', 'two')
    const found = await findTokenByKeyHash(database.kysely, 'a')
    const opened = found?.ownKeys?.map(({ vendor, sealed, fallsBack }) => [
      vendor,
      openOwnKey(vault, { userId: ann, vendor }, sealed),
      fallsBack,
    ])
    expect(opened?.toSorted()).toEqual([
      ['Anthropic', 'two', false],
      ['OpenAI', 'one', true],
    ])
    const [{ sealed } = { sealed: '' }] = found?.ownKeys ?? []
    for (const vendor of ['OpenAI', 'Anthropic']) {
      expect(openOwnKey(vault, { userId: bob, vendor }, sealed)).toBeUndefined()
    }
    expect(openOwnKey(vault, { userId: ann, vendor: 'Google' }, sealed)).toBeUndefined()
    expect(await findTokenByKeyHash(database.kysely, 'b')).not.toHaveProperty('ownKeys')
  })
})
