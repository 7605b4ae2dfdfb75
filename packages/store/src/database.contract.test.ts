import { columnsOfSettings, PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asBigInt, asNumber } from './aggregates.ts'
import { isUniqueViolation } from './unique-violation.ts'

describe.each(databaseEngines)('a database on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const addAccount = (owner: number, posted: bigint): Promise<unknown> =>
    database.kysely
      .insertInto('account')
      .values({
        kind: 'user',
        owner_id: owner,
        posted,
        held: 0n,
        spent: 0n,
        requests: 0,
        credit_floor: 0n,
        unlimited: 0,
        last_ms: 1_800_000_000_123,
      })
      .execute()
  const setOption = (key: string): Promise<unknown> =>
    database.kysely.insertInto('option').values({ key, value: 'v' }).execute()
  const optionKeys = async (): Promise<readonly string[]> =>
    (await database.kysely.selectFrom('option').select('key').orderBy('key').execute()).map((row) => row.key)

  test('keeps money exact at both ends of 64 bits', { tags: 'S24' }, async () => {
    const amounts = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 0n, 9_007_199_254_740_993n]
    for (const [index, amount] of amounts.entries()) await addAccount(index + 1, amount)
    const rows = await database.kysely.selectFrom('account').select('posted').orderBy('owner_id').execute()
    expect(rows.map((row) => row.posted)).toEqual(amounts)
  })

  test('refuses an amount beyond 64 bits instead of wrapping it', { tags: 'S24' }, async () => {
    await expect(addAccount(1, 9_223_372_036_854_775_808n)).rejects.toThrow()
  })

  test('reads times and ids as number', async () => {
    await addAccount(7, 1n)
    const row = await database.kysely.selectFrom('account').select(['id', 'owner_id', 'last_ms']).executeTakeFirst()
    expect(row).toEqual({ id: 1, owner_id: 7, last_ms: 1_800_000_000_123 })
  })

  test('sums money beyond 2^53 exactly and counts as number', async () => {
    await addAccount(1, 9_007_199_254_740_993n)
    await addAccount(2, 2n)
    const { rows } = await sql<{ n: number | bigint; total: number | bigint; none: number | bigint | null }>`
      select count(*) as n, sum(posted) as total, (select sum(amount) from log) as none from account`.execute(
      database.kysely,
    )
    expect(rows.map((row) => [asNumber(row.n), asBigInt(row.total), asBigInt(row.none)])).toEqual([
      [2, 9_007_199_254_740_995n, 0n],
    ])
  })

  test('recognises an error that says: this value exists already', async () => {
    await setOption('Notice')
    const error: unknown = await setOption('Notice').catch((caught: unknown) => caught)
    expect(isUniqueViolation(error)).toBe(true)
    const other: unknown = await sql`select nothing`.execute(database.kysely).catch((caught: unknown) => caught)
    expect(isUniqueViolation(other)).toBe(false)
  })

  test('returns the id of an inserted row', async () => {
    const user = {
      username: 'ada',
      password_hash: 'x',
      display_name: 'Ada',
      role: 1,
      status: 1,
      email: '',
      group_name: 'default',
      aff_code: null,
      created_time: 1,
    }
    const row = await database.kysely.insertInto('user').values(user).returning('id').executeTakeFirst()
    expect(row).toEqual({ id: 1 })
  })

  test('reports how many rows a statement changed', async () => {
    await setOption('a')
    await setOption('b')
    const result = await database.kysely.updateTable('option').set({ value: 'w' }).executeTakeFirst()
    expect(result.numUpdatedRows).toBe(2n)
    const deleted = await database.kysely.deleteFrom('option').where('key', '=', 'nothing').executeTakeFirst()
    expect(deleted.numDeletedRows).toBe(0n)
  })

  test('undoes a failed transaction as a whole', async () => {
    const failing = database.kysely.transaction().execute(async (trx) => {
      await trx.insertInto('option').values({ key: 'a', value: 'v' }).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await optionKeys()).toEqual([])
  })

  test('keeps queries from outside out of a transaction', async () => {
    const inside = Promise.withResolvers<void>()
    const failing = database.kysely.transaction().execute(async (trx) => {
      await trx.insertInto('option').values({ key: 'inside', value: 'v' }).execute()
      inside.resolve()
      await trx.insertInto('option').values({ key: 'inside', value: 'again' }).execute()
    })
    await inside.promise
    const results = await Promise.allSettled([failing, setOption('outside')])
    expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled'])
    expect(await optionKeys()).toEqual(['outside'])
  })

  test('does not accept a token of a user that does not exist', async () => {
    const token = {
      ...columnsOfSettings({ ...PLAIN_TOKEN, name: 'n' }),
      user_id: 99,
      key_hash: 'h',
      key_sealed: 's',
      status: 1,
      created_time: 1,
    }
    await expect(database.kysely.insertInto('token').values(token).execute()).rejects.toThrow(/foreign key/i)
  })
})

describe('a time limit', () => {
  test.each(['sqlite', 'postgres'] as const)(
    'ends a query on %s, and the next one is served',
    { tags: ['postgres', 'S7'] },
    async (engine) => {
      const database = await openTestDatabase(engine)
      const queries = await database.openQueries(200)
      const slow = sql`with recursive c(x) as (select 1 union all select x + 1 from c where x < 100000000) select count(*) from c`
      await expect(slow.execute(queries.kysely)).rejects.toThrow(/took longer than 200 ms|statement timeout/)
      expect((await sql`select 1 as n`.execute(queries.kysely)).rows).toEqual([{ n: 1 }])
      await queries.close()
      await database.close()
    },
  )

  test('of a database thread rolls back the whole open transaction', { tags: 'S23' }, async () => {
    const database = await openTestDatabase('sqlite')
    const queries = await database.openQueries(200)
    const slow = sql`with recursive c(x) as (select 1 union all select x + 1 from c limit 5000000) select count(*) from c`
    const insert = (db: typeof queries.kysely, key: string) =>
      db.insertInto('option').values({ key, value: 'v' }).execute()
    const stubborn = queries.kysely.transaction().execute(async (trx) => {
      await insert(trx, 'before')
      await slow.execute(trx).catch(() => {})
      await insert(trx, 'after')
    })
    await expect(stubborn).rejects.toThrow('replaced during this transaction')
    // Waits until the lost thread's statement has ended and given the write lock back.
    await insert(database.kysely, 'next')
    expect(await queries.kysely.selectFrom('option').select('key').execute()).toEqual([{ key: 'next' }])
    await queries.close()
    await database.close()
  })
})

describe('a PostgreSQL pool', { tags: 'postgres' }, () => {
  test('goes on after the server cut every connection', async () => {
    const database = await openTestDatabase('postgres')
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(database.kysely)))
    const other = database.openClient()
    await other.query({
      text: 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    })
    await other.close()
    await expect
      .poll(() => sql`select 1 as n`.execute(database.kysely).then((result) => result.rows))
      .toEqual([{ n: 1 }])
    await database.close()
  })

  test('rejects a transaction whose connection was cut between two of its statements, and goes on', async () => {
    const database = await openTestDatabase('postgres')
    const other = database.openClient()
    const transaction = database.kysely.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await other.query({ text: 'select pg_terminate_backend($1, 5000)', values: [rows[0]?.pid] })
      await sql`select 1`.execute(trx)
    })
    await expect(transaction).rejects.toThrow()
    expect((await sql`select 1 as n`.execute(database.kysely)).rows).toEqual([{ n: 1 }])
    await other.close()
    await database.close()
  })
})
