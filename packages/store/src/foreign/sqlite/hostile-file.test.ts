// @module-tag slow
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteConnection, type SqliteConnection } from '../../sqlite/connection.ts'
import { type ForeignDatabase, type ForeignRow, ForeignTrouble } from '../foreign-database.ts'
import { openForeignDatabase } from '../open-foreign-database.ts'

let directory = ''
let temporaryDirectory = ''
let file = ''
let database: ForeignDatabase | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-hostile-'))
  temporaryDirectory = join(directory, 'temporary')
  await mkdir(temporaryDirectory)
  await mkdir(join(directory, 'source'))
  file = join(directory, 'source', 'one-api.db')
})
afterEach(async () => {
  await database?.close()
  database = undefined
  await rm(directory, { recursive: true, force: true })
})

async function problemWith(source: string): Promise<string> {
  const result = await openForeignDatabase(source, { signal: new AbortController().signal, temporaryDirectory })
  if ('database' in result) {
    await result.database.close()
    throw new Error('it was opened')
  }
  expect(await readdir(temporaryDirectory)).toEqual([])
  return result.problem
}

async function opened(): Promise<ForeignDatabase> {
  const result = await openForeignDatabase(file, { signal: new AbortController().signal, temporaryDirectory })
  if ('problem' in result) throw new Error(result.problem)
  database = result.database
  return database
}

/** A file with a rollback journal, as the family writes them, unless `work` says otherwise. */
function make(work: string | ((connection: SqliteConnection) => void)): void {
  const connection = openSqliteConnection(file)
  connection.exec('pragma journal_mode = delete')
  if (typeof work === 'string') connection.exec(work)
  else work(connection)
  connection.close()
}

async function rowsOf(table: string, columns: readonly string[]): Promise<readonly ForeignRow[]> {
  return (await database?.page({ table, columns, key: 'id', after: undefined, limit: 1_000 })) ?? []
}

describe('a source that is not a gateway’s database', () => {
  test('is refused in words', async () => {
    const at = (name: string): string => join(directory, 'source', name)
    await writeFile(at('empty.db'), '')
    await writeFile(at('text.db'), 'id,name\n')
    await writeFile(at('encrypted.db'), randomBytes(8_192))
    await mkdir(at('folder'))
    execFileSync('mkfifo', [at('pipe.db')])
    const problems = {
      'missing.db': 'the file missing.db does not exist',
      'text.db/inside.db': 'the file inside.db does not exist',
      'empty.db': 'the file empty.db is empty',
      'text.db': 'the file text.db is not a SQLite database, or is encrypted',
      'encrypted.db': 'the file encrypted.db is not a SQLite database, or is encrypted',
      'pipe.db': 'the file pipe.db is not a file',
      folder: 'the folder folder does not contain a file that ends in .csv or .jsonl',
    }
    for (const [name, problem] of Object.entries(problems)) expect(await problemWith(at(name))).toBe(problem)
  })

  test('is refused when its first pages are damaged', async () => {
    make('create table users (id integer primary key, name text)')
    const handle = await open(file, 'r+')
    await handle.write(randomBytes(3_000), 0, 3_000, 100)
    await handle.close()
    expect(await problemWith(file)).toMatch(/^the file one-api\.db (is damaged|is not a SQLite database)/)
  })

  test('says that a transaction of a killed program has to be undone by it', async () => {
    make('create table users (id integer primary key, name text)')
    const connection = openSqliteConnection(file)
    connection.exec(`pragma journal_mode = delete; pragma cache_size = 1; begin;
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
      insert into users select i, hex(randomblob(200)) from n`)
    const killed = join(directory, 'source', 'killed.db')
    await copyFile(file, killed)
    await copyFile(`${file}-journal`, `${killed}-journal`)
    connection.exec('rollback')
    connection.close()
    expect(await problemWith(killed)).toContain('left a rollback journal')
  })

  test('is closed, and its copy removed, when the import is cancelled while it opens', async () => {
    make('create table users (id integer primary key)')
    const controller = new AbortController()
    const opening = openForeignDatabase(file, { signal: controller.signal, temporaryDirectory })
    controller.abort()
    expect(await opening).toEqual({ problem: 'opening the source was cancelled' })
    expect(await readdir(temporaryDirectory)).toEqual([])
  })
})

describe('what a hostile file defines', () => {
  test('is a table only if its rows are stored in it', async () => {
    make(`
      create table real_users (id integer primary key, name text, trap text generated always as (name || 'x'));
      insert into real_users (name) values ('a');
      create view users as select 1 as id, 'root' as name;
      create virtual table tokens using fts5(id, key);
      create table "odd ""name" ("a ""b" text, id integer primary key);
      create trigger t after insert on real_users begin delete from real_users; end;
    `)
    const { tables } = await opened()
    const own = tables.filter(({ name }) => !name.startsWith('tokens_'))
    expect(own).toEqual([
      { name: 'odd "name', columns: ['a "b', 'id'] },
      { name: 'real_users', columns: ['id', 'name'] },
    ])
    expect(await rowsOf('real_users', ['id', 'name'])).toEqual([{ id: 1, name: 'a' }])
    expect(await rowsOf('odd "name', ['a "b'])).toEqual([])
  })

  test('has keys that are counted when they cannot be used', async () => {
    make(`create table users (id, name text);
      insert into users values (1, 'a'), (1, 'again'), (null, 'b'), ('2', 'c'), (x'03', 'd'), (4.5, 'e'), (-1, 'f'), (0, 'g'),
        (9223372036854775807, 'h'), (9007199254740991, 'i'), (7, 'j')`)
    const source = await opened()
    expect(await source.oddKeys('users', 'id')).toBe(8)
    expect(await source.maxKey('users', 'id')).toBe(Number.MAX_SAFE_INTEGER)
    expect((await rowsOf('users', ['id'])).map(({ id }) => id)).toEqual([1, 1, 7, Number.MAX_SAFE_INTEGER])
  })
})

describe('values', () => {
  test('come as they are stored, and a text that is not UTF-8 is named as such', async () => {
    make(`create table users (id integer primary key, v);
      insert into users values
        (1, cast(x'61ff62' as text)), (2, '�'), (3, 'a' || char(0) || 'b'), (4, x'61ff62'), (5, 1.5), (6, 9223372036854775807),
        (7, cast(x'eda080' as text)), (8, null), (9, cast(x'c3' as text)), (10, 9e999)`)
    await opened()
    const unreadable = { unreadable: 'is not valid text in its encoding' }
    const values = (await rowsOf('users', ['v'])).map(({ v }) => v)
    expect(values).toEqual([
      unreadable,
      '�',
      'a\0b',
      Uint8Array.of(97, 255, 98),
      1.5,
      9223372036854775807n,
      unreadable,
      null,
      unreadable,
      Infinity,
    ])
    expect(await database?.small({ table: 'users', columns: ['id', 'v'], limit: 10 })).toEqual(
      values.map((v, at) => ({ id: at + 1, v })),
    )
  })

  test('of a database in UTF-16 are decoded as such', async () => {
    make(`pragma encoding = 'UTF-16le'; create table users (id integer primary key, v);
      insert into users values (1, 'Ünï 😀'), (2, cast(x'00d8' as text))`)
    await opened()
    expect((await rowsOf('users', ['v'])).map(({ v }) => v)).toEqual([
      'Ünï 😀',
      { unreadable: 'is not valid text in its encoding' },
    ])
  })

  test('beyond 16 MB are left where they are', async () => {
    make(`create table users (id integer primary key, v, w);
      insert into users values (1, zeroblob(16777216), 'a'), (2, zeroblob(16777217), 'b'),
        (3, cast(zeroblob(20000000) as text), 'c')`)
    const source = await opened()
    const tooLarge = { unreadable: 'is larger than 16 MB' }
    const [first] = await source.page({ table: 'users', columns: ['id', 'v', 'w'], key: 'id', after: 0, limit: 1 })
    expect(first?.['v']).toHaveLength(16_777_216)
    expect(await source.page({ table: 'users', columns: ['v', 'w'], key: 'id', after: 1, limit: 9 })).toEqual([
      { v: tooLarge, w: 'b' },
      { v: tooLarge, w: 'c' },
    ])
  })

  test('make pages shorter when they are large, and none is lost', async () => {
    make(`create table users (id integer primary key, v);
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 20)
      insert into users select i, zeroblob(5000000) from n`)
    const source = await opened()
    const lengths: number[] = []
    for (let after = 0; ;) {
      const page = await source.page({ table: 'users', columns: ['id', 'v'], key: 'id', after, limit: 100 })
      if (page.length === 0) break
      lengths.push(page.length)
      after = Number(page.at(-1)?.['id'])
    }
    expect(lengths).toEqual([6, 6, 6, 2])
  })

  test('of a row that is itself larger than 64 MB are read up to 1 MB each', async () => {
    const columns = Array.from({ length: 6 }, (_, at) => `c${at}`)
    make(`create table users (id integer primary key, ${columns.join(', ')});
      insert into users values (1, ${columns.map(() => 'zeroblob(16000000)').join(', ')}), (2, 'a', 'b', 'c', 'd', 'e', 'f')`)
    await opened()
    const [row] = await rowsOf('users', ['id', ...columns])
    expect(row).toEqual({
      id: 1,
      ...Object.fromEntries(columns.map((name) => [name, { unreadable: 'is larger than 1 MB' }])),
    })
  })

  test('of log rows that are no numbers or names are counted and not added', async () => {
    make(`create table logs (id integer primary key, user_id, created_at, type, token_name, model_name, quota);
      insert into logs values (1, 1, 1700000000, 2, 'a', 'm', 5), (2, 'x', 1700000000, 2, 'a', 'm', 5),
        (3, 1, 'now', 2, 'a', 'm', 5), (4, 1, 1700000000, 2, x'ff', 'm', 5), (5, 1, 1700000000, 2, 'a', cast(x'ff' as text), 5),
        (6, 1, 1700000000, 2, 'a', 'm', 9223372036854775807), (7, 1, 1700000000, 2, 'a', 'm', 1.5),
        (8, 1, -62135596800, 2, 'a', 'm', 5)`)
    const source = await opened()
    const pages = []
    for await (const page of source.logSums({ table: 'logs', type: 2, after: 0, until: 100 })) pages.push(page)
    const sum = { day: 19_675, userId: 1, tokenName: 'a', model: 'm', channelId: 0, requests: 1 }
    expect(pages).toEqual([{ sums: [{ ...sum, promptTokens: 0, completionTokens: 0, quota: 5n }], unusable: 7 }])
  })
})

describe('a file in use', () => {
  const listing = (): Promise<string[]> => readdir(join(directory, 'source'))

  test('is read as it was at one moment, while its program goes on writing', async () => {
    const program = openSqliteConnection(file)
    program.exec('create table users (id integer primary key, name text); insert into users values (1, null)')
    const before = await listing()
    const source = await opened()
    program.exec(`insert into users values (2, 'new'); pragma wal_checkpoint(truncate)`)
    expect(await source.count('users')).toBe(1)
    await source.refresh()
    expect(await source.count('users')).toBe(2)
    expect(await listing()).toEqual(before)
    program.exec('begin immediate; commit')
    program.close()
  })

  test.each(['wal', 'delete'])('is not changed by the import when it was left in journal mode %s', async (mode) => {
    const connection = openSqliteConnection(file)
    connection.exec(
      `pragma journal_mode = ${mode}; create table users (id integer primary key); insert into users values (1)`,
    )
    connection.close()
    const [bytes, before, { mtimeMs }] = [await readFile(file), await listing(), await stat(file)]
    const source = await opened()
    expect(await source.count('users')).toBe(1)
    await source.close()
    expect(await readFile(file)).toEqual(bytes)
    expect([await listing(), (await stat(file)).mtimeMs]).toEqual([before, mtimeMs])
  })

  test('gives the rows of a write-ahead log that a killed program left', async () => {
    const killed = openSqliteConnection(file)
    killed.exec('create table users (id integer primary key); pragma wal_checkpoint; insert into users values (1)')
    const copy = join(directory, 'source', 'copy.db')
    await copyFile(file, copy)
    await copyFile(`${file}-wal`, `${copy}-wal`)
    killed.close()
    file = copy
    const before = await listing()
    expect(await (await opened()).count('users')).toBe(1)
    expect(await listing()).toEqual(before)
  })

  test('is copied again only after it changed', async () => {
    make('create table users (id integer primary key)')
    const source = await opened()
    const [folder = ''] = await readdir(temporaryDirectory)
    const copies = (): Promise<string[]> => readdir(join(temporaryDirectory, folder))
    await source.refresh()
    expect(await copies()).toEqual(['1'])
    make('insert into users values (1)')
    await source.refresh()
    expect(await copies()).toEqual(['2'])
    expect(await source.count('users')).toBe(1)
  })

  test('that is damaged further in fails when that part is read', async () => {
    make(`create table users (id integer primary key, name text);
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into users select i, hex(randomblob(100)) from n`)
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(200_000, 0xee), 0, 200_000, 400_000)
    await handle.close()
    const source = await opened()
    const reading = source.page({ table: 'users', columns: ['id', 'name'], key: 'id', after: 0, limit: 5_000 })
    await expect(reading).rejects.toThrow(new ForeignTrouble('the file one-api.db is damaged'))
    await truncate(file, 10_000)
    await expect(source.refresh().then(() => source.count('users'))).rejects.toThrow(/^the file one-api\.db/)
  })
})
