import { openTestDatabase, postgresEngines, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PostgresDatabase } from '../database.ts'
import type { PostgresClient } from './client.ts'

describe.each(postgresEngines)('a direct client on %s', { tags: 'postgres' }, (engine) => {
  let database: TestDatabase<PostgresDatabase>
  let client: PostgresClient
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    client = database.openClient()
  })
  afterEach(() => client.close())
  afterAll(() => database.close())

  const insert = (key: string): Promise<unknown> =>
    client.query({ name: 'insert_option', text: `insert into option (key, value) values ($1, 'v')`, values: [key] })
  const keys = async (): Promise<readonly string[]> =>
    (await database.kysely.selectFrom('option').select('key').orderBy('key').execute()).map((row) => row.key)

  test('takes and returns 64-bit integers as bigint', async () => {
    const text =
      'select $1::bigint as one, array_length($2::bigint[], 1) as n, sum(x) as total from unnest($2::bigint[]) x'
    const { rows, rowCount } = await client.query({ text, values: [9_223_372_036_854_775_807n, [1n, 2n]] })
    expect(rows).toEqual([{ one: 9_223_372_036_854_775_807n, n: 2, total: 3n }])
    expect(rowCount).toBe(1)
  })

  test('counts the rows that a statement changed', async () => {
    expect(await insert('a')).toMatchObject({ rowCount: 1 })
    expect(await client.query({ text: 'delete from option' })).toMatchObject({ rowCount: 1 })
  })

  test('commits and rolls back on request', async () => {
    await client.query({ text: 'begin' })
    await insert('a')
    await client.query({ text: 'commit' })
    await client.query({ text: 'begin' })
    await insert('b')
    await client.query({ text: 'rollback' })
    expect(await keys()).toEqual(['a'])
  })

  test('runs a pipeline of statements in order', async () => {
    await Promise.all([client.query({ text: 'begin' }), insert('a'), insert('b'), client.query({ text: 'commit' })])
    expect(await keys()).toEqual(['a', 'b'])
  })

  test('does not take a failed transaction for a committed one', async () => {
    await client.query({ text: 'begin' })
    await insert('a')
    await expect(insert('a')).rejects.toThrow('duplicate key')
    await expect(client.query({ text: 'commit' })).rejects.toThrow()
    expect(await keys()).toEqual([])
  })

  test('answers nothing after it was closed', async () => {
    await client.close()
    await expect(client.query({ text: 'select 1' })).rejects.toThrow('closed')
  })
})

describe('a direct client that loses its connection', { tags: 'postgres' }, () => {
  let database: TestDatabase<PostgresDatabase>
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
  })
  afterAll(() => database.close())

  /** Ends the client's connection from the server's side and waits until the server has forgotten it. */
  const cut = async (client: PostgresClient): Promise<void> => {
    const { rows } = await client.query({ text: 'select pg_backend_pid() as pid' })
    const other = database.openClient()
    await other.query({ text: 'select pg_terminate_backend($1, 5000)', values: [rows[0]?.['pid']] })
    await other.close()
  }

  test('rejects the calls in flight and serves the next one on a new connection', async () => {
    const client = database.openClient()
    await client.query({ text: 'select 1' })
    const waiting = client.query({ text: 'select pg_sleep(60)' }).catch((error: unknown) => error)
    const other = database.openClient()
    await expect
      .poll(async () => {
        const text = `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()`
        return (await other.query({ text })).rowCount
      })
      .toBe(1)
    expect(await waiting).toBeInstanceOf(Error)
    expect(await client.query({ text: 'select 1 as n' })).toMatchObject({ rows: [{ n: 1 }] })
    await Promise.all([client.close(), other.close()])
  })

  test('leaves a server that is read-only, and serves the next one on a new connection', async () => {
    const client = database.openClient()
    const becomeStandby = () => client.query({ text: 'set default_transaction_read_only = on' })
    const insert = () => client.query({ text: `insert into option (key, value) values ('a', 'v')` })
    await becomeStandby()
    await expect(insert()).rejects.toThrow('read-only')
    expect(await insert()).toMatchObject({ rowCount: 1 })

    await becomeStandby()
    await client.query({ text: 'begin' })
    await expect(insert()).rejects.toThrow('read-only')
    await expect(insert()).rejects.toThrow('lost during this transaction')
    await client.query({ text: 'rollback' })
    expect(await client.query({ text: 'delete from option' })).toMatchObject({ rowCount: 1 })
    await client.close()
  })

  test('never runs the second half of a transaction on a new connection', async () => {
    const client = database.openClient()
    await client.query({ text: 'begin' })
    await cut(client)
    const rest = async (): Promise<unknown> =>
      client.query({ text: `insert into option (key, value) values ('half', 'v')` })
    await expect(rest()).rejects.toThrow()
    await expect(rest()).rejects.toThrow('lost during this transaction')
    await client.query({ text: 'rollback' })
    expect(await client.query({ text: 'select * from option' })).toMatchObject({ rows: [] })
    await client.close()
  })
})
