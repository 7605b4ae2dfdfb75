import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteConnection, type SqliteConnection } from './connection.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-connection-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('a SQLite connection', () => {
  const file = join(directory, 'data', 'test.db')
  let connection: SqliteConnection
  beforeEach(() => {
    connection = openSqliteConnection(file)
    connection.exec(
      'drop table if exists t; create table t (id integer primary key, money int8, at integer, note text)',
    )
  })
  afterEach(() => connection.close())

  test('reads int8 columns as bigint and other integers as number', () => {
    connection.prepare('insert into t values (?, ?, ?, ?)').run(1, 9_000_000_000_000_000_000n, 1_700_000_000_123, 'x')
    const row = connection.prepare('select id, money, at, note from t').get()
    expect(row).toEqual({ id: 1, money: 9_000_000_000_000_000_000n, at: 1_700_000_000_123, note: 'x' })
  })

  test('reads expressions as number while they are safe integers, otherwise as bigint', () => {
    connection.prepare('insert into t values (1, ?, 5, null), (2, 1, 5, null)').run(9_000_000_000_000_000_000n)
    const row = connection
      .prepare('select count(*) as n, sum(money) as total, sum(at) as small, max(note) as note from t')
      .get()
    expect(row).toEqual({ n: 2, total: 9_000_000_000_000_000_001n, small: 10, note: null })
  })

  test('accepts safe integers as number and as bigint for the same column', () => {
    connection.prepare('insert into t (id, money, at) values (?, ?, ?)').run(1n, 5, 6n)
    expect(connection.prepare('select id, money, at from t').all()).toEqual([{ id: 1, money: 5n, at: 6 }])
  })

  test('returns rows as arrays in the order of the columns', () => {
    connection.prepare('insert into t (id, money) values (1, 2), (3, 4)').run()
    const statement = connection.prepare('select money, id from t order by id')
    expect(statement.columns).toEqual(['money', 'id'])
    expect(statement.values()).toEqual([
      [2n, 1],
      [4n, 3],
    ])
  })

  test('reports what a writing statement changed', () => {
    expect(connection.prepare('insert into t (money) values (1), (2)').run()).toEqual({
      changes: 2,
      lastInsertRowid: 2n,
    })
    expect(connection.prepare('update t set money = 0 where id > ?').run(5)).toMatchObject({ changes: 0 })
  })

  test('hands out one prepared statement per text and forgets the oldest above its limit', () => {
    const kept = connection.prepare('select 0')
    const dropped = connection.prepare('select 1')
    for (let n = 2; n < 256; n += 1) connection.prepare(`select ${n}`)
    expect(connection.prepare('select 0')).toBe(kept)
    connection.prepare('select 256')
    expect(connection.prepare('select 0')).toBe(kept)
    expect(connection.prepare('select 1')).not.toBe(dropped)
  })

  test('sees new columns in a statement it knew before they were added', () => {
    connection.prepare('select * from t').all()
    connection.prepare('alter table t add column more int8').run()
    connection.prepare('insert into t (id, more) values (1, 2)').run()
    expect(connection.prepare('select * from t').get()).toMatchObject({ more: 2n })
  })

  test('enforces foreign keys, flushes each commit and waits for another writer', () => {
    const setting = (name: string): unknown => Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0]
    expect(setting('foreign_keys')).toBe(1)
    expect(setting('journal_mode')).toBe('wal')
    expect(setting('synchronous')).toBe(2)
    expect(setting('busy_timeout')).toBe(10_000)
  })

  test('keeps the file and its side files from other users of the machine', () => {
    connection.prepare('insert into t (money) values (1)').run()
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700)
  })

  test(
    'holds its locks while further connections open, so that no other program considers the file abandoned',
    { tags: 'S38' },
    () => {
      connection.prepare('insert into t (money) values (1)').run()
      const log = statSync(`${file}-wal`).ino
      const second = openSqliteConnection(file)
      // what a backup tool does: open, read, close
      const visitor = inAnotherProcess(`database.exec('select * from t'); database.close()`)
      expect(visitor).toBe('')
      expect(statSync(`${file}-wal`).ino).toBe(log)
      const taker = inAnotherProcess(
        `database.exec('pragma locking_mode = exclusive; begin exclusive; insert into t (money) values (2)')`,
      )
      expect(taker).toContain('database is locked')
      second.close()
    },
  )

  /** Runs statements on the file in a separate process; returns what went wrong. */
  const inAnotherProcess = (statements: string): string => {
    const script = `
      import { DatabaseSync } from 'node:sqlite'
      const database = new DatabaseSync(process.argv[1])
      try { ${statements} } catch (error) { console.log(error.message) }`
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script, file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  }
})
