import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase } from '@sluice/store/database'
import { type DatabaseContents, readContents } from '@sluice/store/queries/database-contents'
import { copyDatabase } from '@sluice/store/sqlite/copy-database'
import { flushFile } from '@sluice/store/sqlite/replace-database'
import { sql } from 'kysely'
import { StartProblem } from '../configured.ts'

/** A copy of a large database takes minutes. */
const TIMEOUT_MS = 6 * 3_600_000
const FLUSH_EVERY_MS = 10

/** A copy that SQLite has checked, and that is on the disk. */
export interface CheckedCopy extends FileDigest {
  readonly contents: DatabaseContents
}

export interface FileDigest {
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

/** Copies a SQLite database to a new file, even while a gateway writes to it, and checks the copy. A failure leaves no file. */
export async function copyChecked(sqliteFile: string, copy: string): Promise<CheckedCopy> {
  try {
    await inDatabase(sqliteFile, ({ kysely }) => keepFlushed(copy, copyDatabase(kysely, copy)))
    const contents = await inDatabase(copy, async ({ kysely }) => {
      const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(kysely)
      const finding = rows[0]?.quick_check ?? 'the check returned nothing'
      if (finding !== 'ok') throw new StartProblem(`The copy is damaged, and so is the database: ${finding}`)
      return await readContents(kysely)
    })
    await flushFile(copy)
    // Opening it has changed its header, so it is read only now.
    return { contents, ...(await digestOf(copy)) }
  } catch (error) {
    for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) await rm(name, { force: true })
    throw error
  }
}

async function digestOf(file: string): Promise<FileDigest> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/**
 * Flushes a file again and again until `writing` has ended. What the system has yet to write would otherwise grow to gigabytes, and
 * every charge of a running gateway would wait behind it: with 4 GB, 99 of 100 calls took up to 258 ms instead of 6.
 */
async function keepFlushed(file: string, writing: Promise<void>): Promise<void> {
  const written = new AbortController()
  const ending = writing.finally(() => written.abort())
  // Awaited below.
  ending.catch(() => {})
  try {
    while (!written.signal.aborted) {
      await delay(FLUSH_EVERY_MS)
      if (existsSync(file)) await flushFile(file)
    }
  } finally {
    await ending
  }
}

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
