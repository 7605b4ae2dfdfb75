import { type Database, openDatabase } from '@sluice/store/database'

/** A copy of a large database takes minutes. */
const TIMEOUT_MS = 6 * 3_600_000

/** Opens a SQLite database for work that can take hours, and closes it. */
export async function inDatabase<T>(
  sqliteFile: string,
  work: (queries: Pick<Database, 'kysely'>) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase({ sqliteFile })
  opened.defer(() => database.close())
  const patient = await database.openQueries(TIMEOUT_MS)
  opened.defer(() => patient.close())
  return await work(patient)
}
