import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'

/** Path of a migrated SQLite file, written once per test run; copying it takes a tenth of the time of migrating. */
export const SQLITE_IMAGE = 'SLUICE_TEST_SQLITE_IMAGE'

/** Set-up of a test run (vitest `globalSetup`): writes that file. */
export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-image-'))
  const path = join(directory, 'sluice.db')
  const database = await openDatabase({ sqliteFile: path })
  await migrate(database)
  // Closing the last connection moves the write-ahead log into the file.
  await database.close()
  process.env[SQLITE_IMAGE] = path
  return () => rm(directory, { recursive: true, force: true })
}
