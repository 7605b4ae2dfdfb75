import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addToken, addUsage, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadOptions } from '../../snapshots/options.ts'
import { setOption } from '../options.ts'
import { readUsage, sumBalances } from './usage.ts'

const apart = (count: number) => ({ models: 9, users: count, tokens: count })

describe.each(databaseEngines)('daily usage on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  test('is summed by day and model, user or token, within days and filters', async () => {
    const db = database.kysely
    const ann = await addUser(db, { username: 'ann' }, { posted: 50n, spent: 7n })
    await addUser(db, { username: 'bob', status: 2 }, { posted: 30n })
    await addUser(db, { username: 'gone', status: 3 }, { posted: 1_000n })
    const token = await addToken(db, { user_id: ann, name: 'laptop' })
    await addUsage(db, { day: 100, user_id: ann, token_id: token, model: 'a', amount: 2n })
    await addUsage(db, { day: 100, user_id: ann, token_id: token, model: 'b', channel_id: 2, amount: 3n, requests: 4 })
    await addUsage(db, { day: 101, user_id: 77, token_id: 88, model: 'a', amount: 9_007_199_254_740_993n })
    const days = { from: 100, to: 101 }

    const { models, users, tokens } = await readUsage(db, days, undefined, apart(9))
    expect(models).toMatchObject([
      { day: 100, model: 'a', amount: 2n },
      { day: 100, model: 'b', amount: 3n, requests: 4, promptTokens: 10, completionTokens: 5 },
      { day: 101, model: 'a', amount: 9_007_199_254_740_993n },
    ])
    expect(users).toMatchObject([
      { day: 100, userId: ann, username: 'ann', requests: 5, amount: 5n },
      { day: 101, userId: 77, username: null },
    ])
    expect(tokens).toMatchObject([
      { day: 100, userId: ann, username: 'ann', tokenId: token, tokenName: 'laptop', amount: 5n },
      { day: 101, userId: 77, username: null, tokenId: 88, tokenName: null },
    ])
    const own = await readUsage(db, days, ann, apart(9))
    expect(own.models.map((row) => [row.day, row.model, row.amount])).toEqual([
      [100, 'a', 2n],
      [100, 'b', 3n],
    ])
    expect(own.users).toMatchObject([{ day: 100, userId: ann, requests: 5, amount: 5n }])
    expect(own.tokens).toMatchObject([{ day: 100, tokenId: token, tokenName: 'laptop', amount: 5n }])
    expect(await readUsage(db, { from: 1, to: 2 }, undefined, apart(9))).toEqual({ models: [], users: [], tokens: [] })

    expect(await sumBalances(db, ann)).toEqual({ posted: 50n, spent: 7n, users: 1, active: 1 })
    expect(await sumBalances(db, undefined)).toEqual({ posted: 80n, spent: 7n, users: 2, active: 1 })
    expect(await sumBalances(db, 999)).toEqual({ posted: 0n, spent: 0n, users: 0, active: 0 })
  })

  test('lists the top spenders separately, and sums the others', async () => {
    const db = database.kysely
    for (const [index, amount] of [5n, 90n, 7n, 80n].entries()) {
      const id = await addUser(db, { username: `user-${index + 1}` })
      await addUsage(db, { day: 100, user_id: id, token_id: id + 10, amount })
      await addUsage(db, { day: 101, user_id: id, token_id: id + 10, amount })
    }
    const { users } = await readUsage(db, { from: 100, to: 101 }, undefined, apart(2))
    expect(users).toMatchObject([
      { day: 100, userId: 0, username: null, amount: 12n, requests: 2 },
      { day: 100, userId: 2, username: 'user-2', amount: 90n },
      { day: 100, userId: 4, username: 'user-4', amount: 80n },
      { day: 101, userId: 0, amount: 12n },
      { day: 101, userId: 2 },
      { day: 101, userId: 4 },
    ])
    expect((await readUsage(db, { from: 100, to: 100 }, undefined, apart(1))).tokens).toMatchObject([
      { tokenId: 0, userId: 0, username: null, tokenName: null, amount: 92n },
      { tokenId: 12, userId: 2, username: 'user-2', tokenName: null, amount: 90n },
    ])
  })

  test('has what was used before an import, in the sums of everyone and of one user alike', async () => {
    const db = database.kysely
    const ann = await addUser(db, { username: 'ann' })
    const token = await addToken(db, { user_id: ann, name: 'laptop' })
    await addUsage(db, { day: 101, user_id: ann, token_id: token, model: 'a', amount: 2n })
    const before = { user_id: ann, channel_id: 0, requests: 1, prompt_tokens: 10, completion_tokens: 5 }
    const rows = [
      { ...before, day: 100, token_id: token, model: 'a', amount: 5n },
      { ...before, day: 101, token_id: 0, model: 'a', amount: 7n },
      { ...before, day: 101, token_id: token, model: 'older', amount: 1n },
    ]
    await db.insertInto('imported_usage').values(rows).execute()
    // A repeated import adds to it.
    await db.updateTable('imported_usage').set({ amount: 6n, requests: 2 }).where('day', '=', 100).execute()
    for (const userId of [undefined, ann]) {
      const { models, users, tokens } = await readUsage(db, { from: 99, to: 101 }, userId, apart(9))
      expect(models).toMatchObject([
        { day: 100, model: 'a', amount: 6n, requests: 2 },
        { day: 101, model: 'a', amount: 9n, promptTokens: 20 },
        { day: 101, model: 'older', amount: 1n },
      ])
      expect(users).toMatchObject([
        { day: 100, userId: ann, amount: 6n },
        { day: 101, userId: ann, amount: 10n },
      ])
      expect(tokens).toMatchObject([
        { day: 100, tokenId: token, amount: 6n },
        { day: 101, tokenId: 0, amount: 7n },
        { day: 101, tokenId: token, amount: 3n },
      ])
    }
    const one = await readUsage(db, { from: 101, to: 101 }, ann, { models: 1, users: 1, tokens: 1 })
    expect(one.models).toMatchObject([
      { model: 'Others', amount: 1n },
      { model: 'a', amount: 9n },
    ])
    expect((await readUsage(db, { from: 99, to: 101 }, 77, apart(9))).models).toEqual([])
  })

  test('finds the top spenders in any range, whatever they spent before and after it', async () => {
    const db = database.kysely
    for (let day = 90; day < 200; day++) {
      await addUsage(db, { day, user_id: 1 + (day % 7), token_id: 1, amount: BigInt(1 + ((day * 37) % 101)) })
    }
    for (const from of [90, 95, 96, 100, 113, 127, 128, 150]) {
      for (const to of [127, 128, 130, 159, 160, 175, 199]) {
        if (from > to) continue
        const spent = new Map<number, bigint>()
        for (let day = from; day <= to; day++) {
          spent.set(1 + (day % 7), (spent.get(1 + (day % 7)) ?? 0n) + BigInt(1 + ((day * 37) % 101)))
        }
        const [first] = [...spent].sort(([a, x], [b, y]) => Number(y - x) || a - b)
        const { users } = await readUsage(db, { from, to }, undefined, apart(1))
        expect([from, to, users.find(({ userId }) => userId !== 0)?.userId]).toEqual([from, to, first?.[0]])
      }
    }
  })

  test('options are set and set again', async () => {
    await setOption(database.kysely, 'Notice', 'one')
    await setOption(database.kysely, 'Notice', 'two')
    expect(await loadOptions(database.kysely)).toEqual(new Map([['Notice', 'two']]))
  })
})
