import { fillTables } from '@sluice/store/copy/copy-tables'
import { openInsertRows } from '@sluice/store/copy/write-rows'
import { openDatabase, type PostgresDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { lockBackups } from '@sluice/store/queries/backup-runs'
import { type DatabaseSums, readSums } from '@sluice/store/queries/database-contents'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { sql } from 'kysely'
import { StartProblem } from '../environment/configured.ts'
import type { BackedUpData } from './backed-up-data.ts'
import { sumsText } from './manifest.ts'

/** A statement over a large table takes time in proportion to its size. */
const TIMEOUT_MS = 6 * 3_600_000

/** `database`: id of the database on the server. `workFolder`: on this machine. The caller closes the server afterwards. */
export function serverData(
  server: PostgresDatabase,
  { database, words, workFolder }: Pick<BackedUpData, 'database' | 'words' | 'workFolder'>,
): BackedUpData {
  return { database, words, workFolder, lock: () => lockBackups(server), copyTo: (copy) => copyServer(server, copy) }
}

/** Copies one snapshot of the server into a new SQLite file at the newest step. The file is a separate database with a new id. */
async function copyServer(server: PostgresDatabase, copy: string): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const file = await openDatabase({ sqliteFile: copy })
  opened.defer(() => file.close())
  if (file.engine !== 'sqlite') throw new Error('a file is a SQLite database')
  await migrate(file)
  const inserts = await openInsertRows(file)
  opened.defer(() => inserts.close())
  const patient = await file.openQueries(TIMEOUT_MS)
  opened.defer(() => patient.close())
  const reads = await openSnapshotReads(server)
  opened.defer(() => reads.close())
  const sums = await reads.read(async (db) => {
    // The snapshot waits while the file is written.
    await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(db)
    const target = { engine: 'sqlite', db: patient.kysely, inserts } as const
    const refused = await fillTables({ engine: 'postgres', db }, target)
    if (refused !== undefined) {
      throw new StartProblem(
        `The row ${refused.key} of ${refused.table} ${refused.problem}, so it cannot be backed up.`,
      )
    }
    return await readSums(db)
  })
  expectSums(sums, await readSums(patient.kysely))
}

function expectSums(ofServer: DatabaseSums, ofCopy: DatabaseSums): void {
  const [expected, found] = [sumsText(ofServer), sumsText(ofCopy)]
  const names = ['users', 'tokens', 'channels', 'charges', 'balance'] as const
  const wrong = names.find((name) => found[name] !== expected[name])
  if (wrong === undefined) return
  throw new StartProblem(`The copy has ${wrong}: ${found[wrong]}, and the database has ${expected[wrong]}.`)
}
