// @module-tag slow
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { optionsOf, proveLedger } from './prove-ledger.ts'

let directory = ''
let sqliteFile = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-file-'))
  sqliteFile = join(directory, 'test.db')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ sqliteFile })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const firstResult = () =>
  inDatabase(async (database) => {
    const snapshotReads = await openSnapshotReads(database)
    const options = await optionsOf(database.kysely, 'incremental', 1)
    const { value } = await proveLedger(snapshotReads, options, () => 1).next()
    await snapshotReads.close()
    return value
  })

test('the ledger proof begins with the file, and names the table of a damaged page', async () => {
  const at = await inDatabase(async (database) => {
    await migrate(database)
    const { rows } = await sql<{ rootpage: number; page_size: number }>`
      select rootpage, page_size from sqlite_schema, pragma_page_size() where name = 'option'`.execute(database.kysely)
    return ((rows[0]?.rootpage ?? 0) - 1) * (rows[0]?.page_size ?? 0)
  })
  expect(await firstResult()).toMatchObject({ id: 'F1', checked: expect.any(Number) })
  expect(await firstResult()).not.toHaveProperty('firstWrong')
  const file = await open(sqliteFile, 'r+')
  await file.write(Buffer.alloc(64, 0xff), 0, 64, at)
  await file.close()
  expect(await firstResult()).toMatchObject({ id: 'F1', firstWrong: { finding: expect.stringMatching(/\S/) } })
})
