import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readVersions } from '../../snapshots/versions.ts'
import { extendSession, findSession, insertSession, SESSIONS_PER_USER } from './sessions.ts'
import {
  deleteUser,
  findCredentials,
  findUser,
  hasNoUsers,
  insertUser,
  listUserNames,
  listUsers,
  updateUser,
  type UserSortColumn,
} from './users.ts'

const page = { limit: 10, offset: 0 }
const by = (column: UserSortColumn, direction: 'asc' | 'desc' = 'desc') => ({ column, direction })

describe.each(databaseEngines)('users on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const names = async (keyword: string, sorting = by('user.id')): Promise<readonly string[]> =>
    (await listUsers(database.kysely, keyword, sorting, page)).rows.map((row) => row.username)

  test('are listed with their balances, pages cut, deleted ones left out', async () => {
    expect(await hasNoUsers(database.kysely)).toBe(true)
    await addUser(database.kysely, { username: 'ann' }, { posted: 9_007_199_254_740_993n, spent: 5n, requests: 3 })
    await addUser(database.kysely, { username: 'bob' }, { posted: 7n })
    await addUser(database.kysely, { username: 'gone', status: 3 })
    const { rows, total } = await listUsers(database.kysely, '', by('account.posted'), { limit: 1, offset: 0 })
    expect(total).toBe(2)
    expect(rows).toMatchObject([{ username: 'ann', posted: 9_007_199_254_740_993n, spent: 5n, requests: 3 }])
    expect(await names('', by('user.username', 'asc'))).toEqual(['ann', 'bob'])
    expect(await hasNoUsers(database.kysely)).toBe(false)
  })

  test('are found by the start of a name or email, or by id, never by a wildcard', { tags: 'S7' }, async () => {
    const ann = await addUser(database.kysely, { username: 'ann', email: 'First@example.org' })
    await addUser(database.kysely, { username: 'joann', display_name: '50%_off' })
    expect(await names('AN')).toEqual(['ann'])
    expect(await names('first@')).toEqual(['ann'])
    expect(await names(String(ann))).toEqual(['ann'])
    expect(await names('50%')).toEqual(['joann'])
    expect(await names('%')).toEqual([])
    expect(await names('_oann')).toEqual([])
    expect(await names('99999999999999')).toEqual([])
  })

  test('keep one root, even when two roots demote each other at once', async () => {
    const roots = await Promise.all(['one', 'two'].map((username) => addUser(database.kysely, { username, role: 100 })))
    const outcomes = await Promise.all(roots.map((id) => updateUser(database.kysely, id, { role: 1 }, undefined)))
    expect(outcomes.toSorted()).toEqual(['last_root', 'updated'])
    const left = await database.kysely.selectFrom('user').select('role').orderBy('role').execute()
    expect(left.map(({ role }) => role)).toEqual([1, 100])
  })

  test('sign in by name, or by an email that only they have', async () => {
    const ann = await addUser(database.kysely, { username: 'ann', email: 'one@example.org' })
    await addUser(database.kysely, { username: 'bob', email: 'two@example.org' })
    const cid = await addUser(database.kysely, { username: 'two@example.org', email: 'two@example.org' })
    await addUser(database.kysely, { username: 'dan', email: 'three@example.org' })
    await addUser(database.kysely, { username: 'eve', email: 'three@example.org' })
    const found = async (login: string) => (await findCredentials(database.kysely, login))?.id
    expect(await found('ann')).toBe(ann)
    expect(await found('one@example.org')).toBe(ann)
    expect(await found('two@example.org')).toBe(cid)
    expect(await found('three@example.org')).toBeUndefined()
    expect(await found("' or 1=1 --")).toBeUndefined()
  })

  const fields = { passwordHash: 'h', displayName: 'd', role: 1, email: '', group: 'default', createdTime: 5 }

  test('have unique names, even when two are created at once', async () => {
    const answers = await Promise.all([
      insertUser(database.kysely, { username: 'ann', ...fields }),
      insertUser(database.kysely, { username: 'ann', ...fields }),
    ])
    expect(answers.filter((answer) => answer === 'name_taken')).toHaveLength(1)
    const bob = await addUser(database.kysely, { username: 'bob' })
    expect(await updateUser(database.kysely, bob, { username: 'ann' }, undefined)).toBe('name_taken')
    expect(await updateUser(database.kysely, bob, {}, undefined)).toBe('updated')
  })

  test('change only while their role is below the given one', async () => {
    const admin = await addUser(database.kysely, { username: 'admin', role: 10 })
    expect(await updateUser(database.kysely, admin, { displayName: 'x' }, 10)).toBe('not_found')
    expect(await deleteUser(database.kysely, admin, 10)).toBe(false)
    expect(await updateUser(database.kysely, admin, { displayName: 'x' }, 100)).toBe('updated')
    expect(await findUser(database.kysely, admin)).toMatchObject({ displayName: 'x', role: 10, status: 1 })
  })

  test('lose their sessions with a new password, role or status, and caches are notified', async () => {
    const ann = await addUser(database.kysely, { username: 'ann' })
    const signedIn = async (idHash: string) => {
      await insertSession(database.kysely, { idHash, userId: ann, now: 100, expires: 200, replaces: undefined })
      return async () => (await findSession(database.kysely, idHash, 100)) !== undefined
    }
    for (const [index, patch] of [{ passwordHash: 'n' }, { role: 10 }, { status: 2 }].entries()) {
      const lives = await signedIn(`s${index}`)
      await updateUser(database.kysely, ann, { displayName: 'y' }, undefined)
      expect(await lives()).toBe(true)
      const before = await readVersions(database.kysely)
      await updateUser(database.kysely, ann, patch, undefined)
      expect(await lives()).toBe(false)
      expect((await readVersions(database.kysely)).users).toBe(before.users + 1)
    }
  })

  test('free their name and email when deleted, and stay for the ledger', async () => {
    const ann = await addUser(database.kysely, { username: 'ann', email: 'a@example.org' }, { posted: 5n })
    await insertSession(database.kysely, { idHash: 's', userId: ann, now: 1, expires: 9, replaces: undefined })
    expect(await deleteUser(database.kysely, ann, 10)).toBe(true)
    expect(await deleteUser(database.kysely, ann, 10)).toBe(false)
    expect(await findUser(database.kysely, ann)).toBeUndefined()
    expect(await findCredentials(database.kysely, 'a@example.org')).toBeUndefined()
    expect(await findSession(database.kysely, 's', 1)).toBeUndefined()
    expect(await insertUser(database.kysely, { username: 'ann', ...fields })).not.toBe('name_taken')
    expect(await listUserNames(database.kysely, 10)).toMatchObject([{ username: 'ann' }])
  })

  test('hold a bounded number of sessions, the oldest of which ends first', async () => {
    const ann = await addUser(database.kysely, { username: 'ann' })
    for (let at = 1; at <= SESSIONS_PER_USER + 1; at++) {
      await insertSession(database.kysely, {
        idHash: `s${at}`,
        userId: ann,
        now: at,
        expires: 1_000,
        replaces: undefined,
      })
    }
    expect(await findSession(database.kysely, 's1', 500)).toBeUndefined()
    expect(await findSession(database.kysely, 's2', 500)).toMatchObject({ username: 'ann', role: 1, status: 1 })
  })

  test('replace a session at sign-in, extend it, and lose it when it expires', async () => {
    const ann = await addUser(database.kysely, { username: 'ann' })
    await insertSession(database.kysely, { idHash: 'old', userId: ann, now: 1, expires: 50, replaces: undefined })
    await insertSession(database.kysely, { idHash: 'new', userId: ann, now: 2, expires: 50, replaces: 'old' })
    expect(await findSession(database.kysely, 'old', 3)).toBeUndefined()
    expect(await findSession(database.kysely, 'new', 50)).toBeUndefined()
    await extendSession(database.kysely, 'new', 90)
    expect(await findSession(database.kysely, 'new', 50)).toMatchObject({ expires: 90 })
  })
})
