import { dirname } from 'node:path'
import { type Database, openDatabase } from '@sluice/store/database'
import { holdFileLock } from '@sluice/store/sqlite/connection'
import { copyDatabase } from '@sluice/store/sqlite/copy-database'

/** The data to back up, on either engine. A backup is always a SQLite file. */
export interface BackedUpData {
  /** Id of the database, 32 hex digits. */
  readonly database: string
  /** The file, or the server without user and password. */
  readonly words: string
  /** Folder for a copy before it is stored elsewhere. */
  readonly workFolder: string
  /** Keeps other scheduled backups of this data away until the returned function is called; undefined if one is running. */
  lock(): Promise<(() => Promise<void>) | undefined>
  /** Writes one consistent copy to a new file, while gateways write to the data. */
  copyTo(copy: string): Promise<void>
}

/** `database` is the id of the database in the file. */
export function sqliteData(file: string, database: string): BackedUpData {
  return {
    database,
    words: file,
    workFolder: dirname(file),
    lock: async () => {
      const letGo = holdFileLock(`${file}.backup-lock`)
      return letGo === undefined ? undefined : async () => letGo()
    },
    copyTo: (copy) => inDatabase(file, ({ kysely }) => copyDatabase(kysely, copy)),
  }
}

/** Copying a large database takes minutes. */
const COPY_TIMEOUT_MS = 6 * 3_600_000

/** Opens a SQLite database for work that can take hours, and closes it. */
export async function inDatabase<T>(
  sqliteFile: string,
  work: (queries: Pick<Database, 'kysely'>) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase({ sqliteFile })
  opened.defer(() => database.close())
  const patient = await database.openQueries(COPY_TIMEOUT_MS)
  opened.defer(() => patient.close())
  return await work(patient)
}
