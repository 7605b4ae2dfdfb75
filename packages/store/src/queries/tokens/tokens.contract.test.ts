import { PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readVersions } from '../../snapshots/versions.ts'
import {
  countTokens,
  deleteToken,
  findToken,
  insertToken,
  listTokens,
  setTokenStatus,
  TOKEN_SORT_COLUMNS,
  updateToken,
} from './tokens.ts'

const page = { limit: 10, offset: 0 }
const newest = { column: 'token.id', direction: 'desc' } as const
const settings = { ...PLAIN_TOKEN, name: 'a' }

describe.each(databaseEngines)('tokens on %s', (engine) => {
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

  test('belong to their owner and to no one else', { tags: 'S11' }, async () => {
    const id = await addToken(database.kysely, { user_id: ann, name: 'mine' })
    const db = database.kysely
    expect(await findToken(db, bob, id)).toBeUndefined()
    expect(await updateToken(db, bob, id, settings, 2)).toBe(false)
    expect(await setTokenStatus(db, bob, id, 2)).toBe(false)
    expect(await deleteToken(db, bob, id)).toBe(false)
    expect((await listTokens(db, bob, '', newest, page, 0)).rows).toEqual([])
    expect(await findToken(db, ann, id)).toMatchObject({ name: 'mine', status: 1 })
  })

  test('are listed with their limits, by any column, and searched by the start of the name', async () => {
    const db = database.kysely
    const now = 2_000
    await addToken(db, { user_id: ann, name: 'full' }, { posted: 9_000n, spent: 1n, last_ms: 7 })
    await addToken(db, { user_id: ann, name: 'off', status: 2, expired_time: 1 }, { posted: 5n })
    await addToken(db, { user_id: ann, name: 'late', expired_time: now }, { posted: 5n })
    await addToken(db, { user_id: ann, name: 'empty' }, { posted: -1n })
    await addToken(db, { user_id: ann, name: 'free', unlimited: 1 }, { posted: -1n })
    const byStatus = await listTokens(db, ann, '', { column: 'status', direction: 'asc' }, page, now)
    expect(byStatus.total).toBe(5)
    expect(byStatus.rows.map((row) => row.name)).toEqual(['free', 'full', 'off', 'late', 'empty'])
    expect(byStatus.rows[1]).toMatchObject({ remain: 9_000n, spent: 1n, lastMs: 7, unlimited: false })
    for (const column of Object.values(TOKEN_SORT_COLUMNS)) {
      const { rows } = await listTokens(db, ann, '', { column, direction: 'desc' }, { limit: 2, offset: 1 }, now)
      expect(rows).toHaveLength(2)
    }
    const found = await listTokens(db, ann, 'F', newest, page, now)
    expect(found.rows.map((row) => row.name)).toEqual(['free', 'full'])
    expect((await listTokens(db, ann, '%', newest, page, now)).total).toBe(0)
  })

  test('keep their key and status through an update, and every change notifies the caches', async () => {
    const db = database.kysely
    const versions: number[] = []
    const note = async () => versions.push((await readVersions(db)).tokens)
    await note()
    const id = await insertToken(db, ann, { ...settings, keyHash: 'h', keySealed: 's', createdTime: 3 })
    await note()
    await setTokenStatus(db, ann, id, 2)
    await note()
    await updateToken(db, ann, id, { ...settings, name: 'b', models: 'x,y', unlimited: true }, undefined)
    await note()
    expect(await findToken(db, ann, id)).toMatchObject({
      name: 'b',
      keySealed: 's',
      status: 2,
      models: 'x,y',
      unlimited: true,
    })
    expect(await countTokens(db, ann)).toBe(1)
    expect(await deleteToken(db, ann, id)).toBe(true)
    await note()
    expect(versions).toEqual([0, 1, 2, 3, 4].map((step) => (versions[0] ?? 0) + step))
  })
})
