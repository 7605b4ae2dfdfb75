import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { recordPlans } from '@sluice/testkit/query-plans'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAllTokens } from '../tokens/all-tokens.ts'
import { findToken, listTokens } from '../tokens/tokens.ts'
import { withUsedBefore } from './used-before.ts'
import { findUser, listUsers } from './users.ts'

describe.each(databaseEngines)('what was used before the move on %s', (engine) => {
  let database: TestDatabase
  let ann: number
  let token: number
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    const db = database.kysely
    ann = await addUser(db, { username: 'ann' })
    const bob = await addUser(db, { username: 'bob' })
    token = await addToken(db, { user_id: ann, name: 'laptop' })
    await addToken(db, { user_id: bob, name: 'phone' })
    const row = { mark: '', digest: '', source: 'one', source_id: 5 }
    const rows = [
      { ...row, kind: 'user', target_id: ann, used: 9_007_199_254_740_993n, requests: 3 },
      { ...row, kind: 'user', target_id: ann, source: 'other', used: 2n, requests: 4 },
      { ...row, kind: 'token', target_id: token, used: 8n, requests: 1 },
      // A row of another kind under bob's id.
      { ...row, kind: 'channel', target_id: bob, used: 1n, requests: 1 },
    ]
    await db.insertInto('imported').values(rows).execute()
  })
  afterAll(() => database.close())
  const page = { limit: 10, offset: 0 }

  test('is added up over all gateways, in lists and for one, and is nothing for what was made here', async () => {
    const db = database.kysely
    const users = await listUsers(db, '', { column: 'user.id', direction: 'asc' }, page)
    const before = { used: 9_007_199_254_740_995n, requests: 7 }
    expect(users.rows.map((user) => [user.username, user.before])).toEqual([
      ['ann', before],
      ['bob', null],
    ])
    expect(await findUser(db, ann)).toMatchObject({ before })
    expect(await findToken(db, ann, token)).toMatchObject({ before: { used: 8n, requests: 1 } })
    const all = await listAllTokens(db, { keyword: '' }, { column: 'token.id', direction: 'asc' }, page, 0)
    expect(all.rows.map((row) => row.before)).toEqual([{ used: 8n, requests: 1 }, null])
    expect(await withUsedBefore(db, 'user', [])).toEqual([])
  })

  test('is looked up by an index for the page that is shown', async () => {
    const lists = [
      (db: TestDatabase['kysely']) => listUsers(db, '', { column: 'user.id', direction: 'asc' }, page),
      (db: TestDatabase['kysely']) => listTokens(db, ann, '', { column: 'token.id', direction: 'asc' }, page, 0),
    ]
    for (const list of lists) {
      const plans = await recordPlans(database, list)
      expect(plans.filter((read) => read.table === 'imported')).toEqual([
        { table: 'imported', index: 'imported_by_target', searched: true },
      ])
    }
  })
})
