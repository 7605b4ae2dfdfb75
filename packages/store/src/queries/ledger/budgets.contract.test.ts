import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUsers } from '../accounts/users.ts'
import { listAllTokens } from '../tokens/all-tokens.ts'
import { findToken } from '../tokens/tokens.ts'
import { findBalance } from './balances.ts'

describe.each(databaseEngines)('budgets on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  test('appear with the user or token that they bind, and with no other', async () => {
    const db = database.kysely
    const [ann, bob] = [await addUser(db, { username: 'ann' }), await addUser(db, { username: 'bob' })]
    const capped = await addToken(db, { user_id: ann, name: 'capped' })
    const free = await addToken(db, { user_id: ann, name: 'free' })
    const flagged = async (kind: string, owner: number): Promise<number> => {
      const update = db
        .updateTable('account')
        .set({ budgeted: 1 })
        .where('kind', '=', kind)
        .where('owner_id', '=', owner)
      return (await update.returning('id').executeTakeFirstOrThrow()).id
    }
    const [account, ofBob] = [await flagged('token', capped), await flagged('user', bob)]
    const day = { period: 'day', amount: 100n, window_start_ms: 86_400_000, spent: 7n } as const
    await db
      .insertInto('budget')
      .values([
        { ...day, account },
        { ...day, account: ofBob, amount: 2n ** 62n },
      ])
      .execute()

    const shown = { period: 'day', amount: 100n, windowStartMs: 86_400_000, spent: 7n }
    expect((await findToken(db, ann, capped))?.budgets).toMatchObject([shown])
    expect((await findToken(db, ann, free))?.budgets).toEqual([])
    const byId = { column: 'token.id', direction: 'asc' } as const
    const { rows } = await listAllTokens(db, { keyword: '' }, byId, { limit: 10, offset: 0 }, 0)
    expect(rows.map(({ budgets }) => budgets.length)).toEqual([1, 0])
    const people = await listUsers(db, '', { column: 'user.id', direction: 'asc' }, { limit: 10, offset: 0 })
    expect(people.rows.map(({ budgets }) => budgets.map(({ amount }) => amount))).toEqual([[], [2n ** 62n]])
    expect((await findBalance(db, account)).budgets).toMatchObject([shown])
  })
})
