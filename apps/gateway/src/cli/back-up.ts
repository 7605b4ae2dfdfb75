import { existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, type Queries } from '@sluice/store/database'
import { databaseTarget } from '@sluice/store/database-target'
import { copyDatabase } from '@sluice/store/sqlite/copy-database'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { StartProblem } from '../configured.ts'

/** A copy of a large database takes minutes. */
const TIMEOUT_MS = 6 * 3_600_000
const FLUSH_EVERY_MS = 10

/**
 * Copies the SQLite database, even while the gateway is running. The copy is checked and flushed before it gets its name, so a file
 * of that name is always complete. Returns the exit code.
 */
export async function backUp(config: Config, file: string): Promise<number> {
  // The copy takes a core for as long as it lasts; a running gateway needs it more.
  setPriority(constants.priority.PRIORITY_LOW)
  const target = databaseTarget(config.databaseUrl, config.dataDir)
  if ('problem' in target) throw new StartProblem(target.problem)
  if (!('sqliteFile' in target)) throw new StartProblem('The data is on PostgreSQL: back it up with pg_dump.')
  if (!existsSync(target.sqliteFile)) throw new StartProblem(`There is no database at ${target.sqliteFile}.`)
  const copy = resolve(file)
  if (existsSync(copy)) throw new StartProblem(`${copy} exists already; a backup never overwrites a file.`)
  const partial = `${copy}.${process.pid}.partial`
  try {
    await inDatabase(target.sqliteFile, (db) => keepFlushed(partial, copyDatabase(db, partial)))
    const problem = await damageOf(partial)
    if (problem !== undefined) throw new StartProblem(`The copy is damaged, and so is the database: ${problem}`)
    await flush(partial)
    await rename(partial, copy)
  } finally {
    await rm(partial, { force: true })
  }
  const { size } = await stat(copy)
  console.log(`${copy}: ${(size / 1_000_000).toFixed(1)} MB, checked. Keep the master key apart from it.`)
  return 0
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
      if (existsSync(file)) await flush(file)
    }
  } finally {
    await ending
  }
}

async function inDatabase<T>(sqliteFile: string, ask: (db: Queries['kysely']) => Promise<T>): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase({ sqliteFile })
  opened.defer(() => database.close())
  const patient = await database.openQueries(TIMEOUT_MS)
  opened.defer(() => patient.close())
  return await ask(patient.kysely)
}

/** What SQLite's own check finds first; undefined when the file is sound. */
async function damageOf(sqliteFile: string): Promise<string | undefined> {
  const check = sql<{ quick_check: string }>`pragma quick_check(1)`
  const { rows } = await inDatabase(sqliteFile, (db) => check.execute(db))
  const finding = rows[0]?.quick_check ?? 'the check returned nothing'
  return finding === 'ok' ? undefined : finding
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
