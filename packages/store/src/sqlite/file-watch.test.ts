import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteConnection, type SqliteConnection } from './connection.ts'
import { openDatabaseFileWatch } from './file-watch.ts'

let directory = ''
let file = ''
let connection: SqliteConnection
let replaced: string[] = []
let look = (): void => {}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-watch-'))
  file = join(directory, 'sluice.db')
  connection = openSqliteConnection(file)
  connection.exec('create table t (id integer primary key)')
  await writeFile(`${file}.lock`, '')
  replaced = []
  await watch()
})
afterEach(async () => {
  connection.close()
  await rm(directory, { recursive: true, force: true })
})

async function watch(): Promise<void> {
  await openDatabaseFileWatch({
    file,
    every: (_, run) => {
      look = run
      return () => (look = () => {})
    },
    onReplaced: (path) => void replaced.push(path),
  })
}

/** Gives a check time to finish, even where it should find nothing. */
const looked = async (): Promise<readonly string[]> => {
  look()
  await new Promise((resolve) => setTimeout(resolve, 20))
  return replaced
}

test('says nothing while SQLite itself writes, truncates and checkpoints its files', { tags: 'S38' }, async () => {
  connection.exec('insert into t values (1); pragma wal_checkpoint(truncate); insert into t values (2)')
  expect(await looked()).toEqual([])
})

test('notices a deleted write-ahead log, once', { tags: 'S38' }, async () => {
  await rm(`${file}-wal`)
  look()
  look()
  await expect.poll(() => replaced).toEqual([`${file}-wal`])
  expect(await looked()).toEqual([`${file}-wal`])
})

test('notices a deleted lock, whose place a second process would take', { tags: 'S38' }, async () => {
  await rm(`${file}.lock`)
  look()
  await expect.poll(() => replaced).toEqual([`${file}.lock`])
})

test('notices a database that was put in the place of the open one', { tags: 'S38' }, async () => {
  await writeFile(join(directory, 'restored.db'), '')
  await rename(join(directory, 'restored.db'), file)
  look()
  await expect.poll(() => replaced).toEqual([file])
})

test(
  'learns from the first check that succeeds what could not be checked in the beginning',
  { tags: 'S38' },
  async () => {
    const place = join(directory, 'place')
    file = join(place, 'sluice.db')
    await writeFile(place, 'not a folder yet')
    await watch()
    await rm(place)
    await mkdir(place)
    await writeFile(file, '')
    expect(await looked()).toEqual([])
    await rm(file)
    look()
    await expect.poll(() => replaced).toEqual([file])
  },
)
