import { PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { insertUser } from '@sluice/store/queries/accounts/users'
import { insertToken } from '@sluice/store/queries/tokens/tokens'
import { findTokenByKeyHash } from '@sluice/store/snapshots/tokens'
import { openTestDatabase } from '@sluice/testkit/databases'
import { expect, it } from 'vitest'
import { copyFirstUser, countOf, FIRST_USER, keysAt, tokenHash } from './callers.ts'

const NEW = { role: 1, email: '', group: 'default', createdTime: 0 }

it('gives all processes the one user, or each its own', () => {
  expect([0, 1].map((place) => keysAt('one', 2, place))).toEqual([['sk-bench1'], ['sk-bench1']])
  expect([0, 1].map((place) => keysAt('each', 2, place))).toEqual([['sk-bench1'], ['sk-bench2']])
})

it('lets all processes serve many users, each beginning with another', () => {
  const all = [0, 1, 2, 3].map((place) => keysAt('many', 4, place))
  expect(all.map((keys) => keys[0])).toEqual(['sk-bench1', 'sk-bench251', 'sk-bench501', 'sk-bench751'])
  for (const keys of all) expect(new Set(keys).size).toBe(countOf('many', 4))
})

it('copies the first user, each with a token under a known key', async () => {
  const database = await openTestDatabase('sqlite')
  const db = database.kysely
  const user = await insertUser(db, { ...NEW, username: FIRST_USER, displayName: FIRST_USER, passwordHash: 'hash' })
  if (user === 'name_taken') throw new Error('the name is taken')
  await insertToken(db, user.id, { ...PLAIN_TOKEN, name: 'default', keyHash: 'unknown', keySealed: '', createdTime: 0 })
  const copies = await copyFirstUser(database, 205)
  expect(new Set([user.id, ...copies]).size).toBe(205)
  const owners = await Promise.all([0, 1, 204].map((at) => findTokenByKeyHash(db, tokenHash(at))))
  expect(owners.map((found) => found?.user.username)).toEqual(['bench-1', 'bench-2', 'bench-205'])
  expect(owners.map((found) => found?.user.id)).toEqual([user.id, copies[0], copies[203]])
  await database.close()
})
