import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestSource, type SourceEngine, type TestSource } from '@sluice/testkit/import/foreign-sources'
import { hasMysql } from '@sluice/testkit/mysql-databases'
import { administer, databaseUrl, POSTGRES_URL } from '@sluice/testkit/postgres-databases'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ForeignDatabase, ForeignRow } from '../foreign-database.ts'
import { openForeignDatabase } from '../open-foreign-database.ts'

let temporaryDirectory = ''
let source: TestSource | undefined
let database: ForeignDatabase | undefined

beforeEach(async () => {
  temporaryDirectory = await mkdtemp(join(tmpdir(), 'sluice-foreign-test-'))
})
afterEach(async () => {
  await database?.close()
  await source?.remove()
  database = undefined
  source = undefined
  await rm(temporaryDirectory, { recursive: true, force: true })
})

async function make(engine: SourceEngine, sql: string): Promise<TestSource> {
  source = await createTestSource(engine, [])
  await source.run(sql)
  return source
}

async function opened(address: string): Promise<ForeignDatabase> {
  const result = await openForeignDatabase(address, { signal: new AbortController().signal, temporaryDirectory })
  if ('problem' in result) throw new Error(result.problem)
  database = result.database
  return database
}

async function problemWith(address: string): Promise<string> {
  const result = await openForeignDatabase(address, { signal: new AbortController().signal, temporaryDirectory })
  if ('problem' in result) return result.problem
  await result.database.close()
  return 'it was opened'
}

async function rowsOf(table: string): Promise<readonly ForeignRow[]> {
  const columns = database?.tables.find(({ name }) => name === table)?.columns ?? []
  return (await database?.page({ table, columns, key: 'id', after: undefined, limit: 100 })) ?? []
}

describe('PostgreSQL', { tags: 'postgres' }, () => {
  test('gives values of its types, and tables that the search path shows', async () => {
    const { source: address } = await make(
      'postgres',
      `create domain short as varchar(5);
      create table t (id int primary key, b boolean, n numeric(20, 4), i8 bigint, f double precision, bytes bytea, j json, jb jsonb,
        at timestamptz, day date, fixed char(6), d short, tags text[], twice int generated always as (id * 2) stored);
      insert into t values (1, true, 12.5, 9223372036854775807, 0.1, '\\x00ff', '{"a": 1}', '{"a": 1}', '2026-11-24 12:00:00.123+02',
        '0001-01-01', 'abc', 'e', '{x,"y z"}');
      insert into t (id) values (2);
      create table parts (id bigint not null) partition by range (id);
      create table parts_1 partition of parts for values from (1) to (100); insert into parts values (7);
      create view users as select 1 as id; create materialized view seen as select 1 as id;
      create schema other; create table other.tokens (id int)`,
    )
    const { tables } = await opened(address)
    expect(tables.map(({ name }) => name)).toEqual(['parts', 't'])
    expect(tables[1]?.columns).not.toContain('twice')
    const [row, empty] = await rowsOf('t')
    expect(row).toEqual({
      id: 1,
      b: true,
      n: '12.5000',
      i8: 9223372036854775807n,
      f: 0.1,
      bytes: Uint8Array.of(0, 255),
      j: '{"a": 1}',
      jb: '{"a": 1}',
      at: '2026-11-24 10:00:00.123+00',
      day: '0001-01-01',
      fixed: 'abc',
      d: 'e',
      tags: '{x,"y z"}',
    })
    expect(new Set(Object.values(empty ?? {}))).toEqual(new Set([2, null]))
    expect(await rowsOf('parts')).toEqual([{ id: 7 }])
  })

  test('finds keys and numbers in columns of other types', async () => {
    const { source: address } = await make(
      'postgres',
      `create table logs (id text, type text, created_at text, quota text, model_name bytea);
      insert into logs values ('1', '2', '1700000000', '5', null), ('10', '2', '1700000000', '6', 'm'), ('x', '2', '1', '1', 'm'),
        ('3', '2', '1700000000', 'much', 'm'), ('2', '1', '1700000000', '1', 'm')`,
    )
    const found = await opened(address)
    expect([await found.oddKeys('logs', 'id'), await found.maxKey('logs', 'id')]).toEqual([1, 10])
    const pages = []
    for await (const page of found.logSums({ table: 'logs', type: 2, after: 0, until: 100 })) pages.push(page)
    expect(pages.flatMap(({ sums }) => sums.map(({ model, quota }) => [model, quota]))).toEqual(
      expect.arrayContaining([
        ['', 5n],
        ['m', 6n],
      ]),
    )
    expect(pages.map(({ unusable }) => unusable)).toEqual([1])
  })

  test('keeps apart texts of a database that takes any bytes for text', async () => {
    const server = process.env[POSTGRES_URL] ?? ''
    const name = `sluice_ascii_${process.pid}`
    await administer(
      server,
      `create database ${name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`,
    )
    try {
      const address = databaseUrl(server, name)
      await administer(address, `create table t (id int primary key, v text)`)
      await administer(
        address,
        `insert into t values (1, convert_from('\\x61ff', 'SQL_ASCII')), (2, 'é'), (3, '\uFFFD')`,
      )
      await opened(address)
      expect((await rowsOf('t')).map(({ v }) => v)).toEqual([
        { unreadable: 'is not valid text in its encoding' },
        'é',
        '\uFFFD',
      ])
      await database?.close()
    } finally {
      await administer(server, `drop database ${name} with (force)`)
    }
  })

  test('says what is wrong with an address', async () => {
    const server = new URL(process.env[POSTGRES_URL] ?? '')
    server.password = 'secret'
    server.pathname = '/missing'
    expect(await problemWith(server.href)).toBe('the PostgreSQL server has no database of that name')
    server.searchParams.set('sslmode', 'require')
    expect(await problemWith(server.href)).toBe('the PostgreSQL server does not offer TLS')
  })

  test('tells that its connection was lost, and nothing is read after that', async () => {
    const { source: address } = await make('postgres', 'create table t (id int primary key); insert into t values (1)')
    const found = await opened(address)
    await administer(
      process.env[POSTGRES_URL] ?? '',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(address).pathname.slice(1)}'`,
    )
    await expect(found.count('t')).rejects.toThrow(/^the PostgreSQL server (was shut down|closed the connection)/)
    await expect(found.count('t')).rejects.toThrow(/^the PostgreSQL server/)
  })
})

// Without a server the set-up has printed why.
describe.runIf(hasMysql())('MySQL', () => {
  test('gives values of its types, and stored tables only', async () => {
    const { source: address } = await make(
      'mysql',
      `create table t (id int primary key, b tinyint(1), n decimal(20, 4), u bigint unsigned, f double, bytes varbinary(9), big longblob,
        j json, at datetime(3), stamp timestamp null, day date, e enum('x', 'é'), bits bit(4),
        latin varchar(20) character set latin1, fixed char(6), twice int as (id * 2) stored);
      insert into t (id, b, n, u, f, bytes, big, j, at, stamp, day, e, bits, latin, fixed) values
        (1, 1, 12.5, 18446744073709551615, 0.1, x'00ff', x'61ff', '{"a": 1}', '2026-11-24 12:00:00.123', '2026-11-24 12:00:00',
          '1000-01-01', 'é', b'1010', 'Ärger', 'abc');
      insert into t (id) values (2);
      create view users as select 1 as id`,
    )
    const { tables } = await opened(address)
    expect(tables.map(({ name }) => name)).toEqual(['t'])
    expect(tables[0]?.columns).not.toContain('twice')
    const [row, empty] = await rowsOf('t')
    expect(row).toEqual({
      id: 1,
      b: 1,
      n: '12.5000',
      u: 18446744073709551615n,
      f: 0.1,
      bytes: Uint8Array.of(0, 255),
      big: Uint8Array.of(97, 255),
      j: '{"a": 1}',
      at: '2026-11-24 12:00:00.123',
      day: '1000-01-01',
      e: 'é',
      stamp: expect.stringMatching(/^2026-11-2\d /),
      bits: Uint8Array.of(10),
      latin: 'Ärger',
      fixed: 'abc',
    })
    expect(new Set(Object.values(empty ?? {}))).toEqual(new Set([2, null]))
  })

  test('finds keys and numbers in columns of other types', async () => {
    const { source: address } = await make(
      'mysql',
      `create table logs (id varchar(20), type varchar(5), created_at text, quota text, model_name blob);
      insert into logs values ('1', '2', '1700000000', '5', null), ('10', '2', '1700000000', '6', 'm'), ('x', '2', '1', '1', 'm'),
        ('3', '2', '1700000000', 'much', 'm'), ('2', '1', '1700000000', '1', 'm'), ('4', '2', '1700000000', '9', x'ff')`,
    )
    const found = await opened(address)
    expect([await found.oddKeys('logs', 'id'), await found.maxKey('logs', 'id')]).toEqual([1, 10])
    const pages = []
    for await (const page of found.logSums({ table: 'logs', type: 2, after: 0, until: 100 })) pages.push(page)
    expect(pages.flatMap(({ sums }) => sums.map(({ model, quota }) => [model, quota]))).toEqual(
      expect.arrayContaining([
        ['', 5n],
        ['m', 6n],
      ]),
    )
    expect(pages.map(({ unusable }) => unusable)).toEqual([2])
  })

  test('says what is wrong with an address, and never the password', async () => {
    const made = await make('mysql', 'create table t (id int primary key)')
    const address = new URL(made.source)
    const user = `u${process.pid}`
    await made.run(`create user ${user}@'%' identified by 'right'; grant select on t to ${user}@'%'`)
    try {
      address.username = user
      address.password = 'wrong'
      expect(await problemWith(address.href)).toBe('the MySQL server refuses this user or password')
      address.password = 'right'
      expect(await problemWith(address.href)).toBe('it was opened')
      expect(await problemWith(`${address.href}?tls=true`)).toBe('the MySQL server does not offer TLS')
      address.pathname = '/missing'
      expect(await problemWith(address.href)).toBe('the MySQL server does not let this user use the database')
    } finally {
      await made.run(`drop user ${user}@'%'`)
    }
  })
})
