import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Database, openDatabase } from '@sluice/store/database'
import { freeBytesOf } from '@sluice/store/free-bytes'
import { findPending, migrate } from '@sluice/store/migrate'
import type { Migration } from '@sluice/store/migration'
import { copyDatabase } from '@sluice/store/sqlite/copy-database'
import { openMigrated, StartProblem, targetOf } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { isLedgerSound } from './verify.ts'

/** Copying a large database takes minutes. */
const COPY_TIMEOUT_MS = 6 * 3_600_000

/** Brings the database to the newest step and prints each step's duration; returns the exit code. */
export async function migrateDatabase(config: Config): Promise<number> {
  const database = await openMigrated(config, console.log, timedSteps())
  await database.close()
  console.log('The database schema is up to date.')
  return 0
}

/**
 * Prints the steps that an upgrade would take. Migrates and proves a copy of a SQLite file, which a gateway may be using, so that
 * the times are known beforehand. Writes only the copy, and removes it in the end. Returns the exit code.
 */
export async function tryMigration(config: Config): Promise<number> {
  const target = targetOf(config)
  if ('sqliteFile' in target && !existsSync(target.sqliteFile)) {
    throw new StartProblem(`There is no database at ${target.sqliteFile}.`)
  }
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase(target)
  opened.defer(() => database.close())
  const { pending, problem } = await findPending(database)
  if (problem !== undefined) throw new StartProblem(`The database ${problem}`)
  if (pending.length === 0) {
    console.log('The database schema is up to date: there is nothing to migrate.')
    return 0
  }
  if (database.engine === 'sqlite') return await migrateCopy(database, database.file, pending)
  for (const step of pending) console.log(inWords(step))
  console.log(
    `\n${stepsInWords(pending)} pending. On PostgreSQL they are not tried out, because they would lock the tables of the running gateway. To find out how long they take, restore a dump into another database and run "sluice migrate" with its DATABASE_URL.`,
  )
  return 0
}

async function migrateCopy(database: Database, file: string, pending: readonly Migration[]): Promise<number> {
  // Copying keeps one core busy, and a running gateway needs it more.
  setPriority(constants.priority.PRIORITY_LOW)
  const { size } = await stat(file)
  const free = await freeBytesOf(dirname(file))
  if (free < 2 * size) {
    throw new StartProblem(
      `The steps are tried on a copy, which needs twice the ${megabytes(size)} of the database; ${dirname(file)} has ${megabytes(free)} left.`,
    )
  }
  const copy = `${file}.dry-run-${process.pid}`
  try {
    const patient = await database.openQueries(COPY_TIMEOUT_MS)
    const began = performance.now()
    try {
      await copyDatabase(patient.kysely, copy)
    } finally {
      await patient.close()
    }
    console.log(`Copied the database, ${megabytes(size)}, in ${secondsSince(began)}.`)
    return await migrateAndProve(copy, pending)
  } finally {
    // The file, its write-ahead log, and the copy made before a breaking step.
    const names = await readdir(dirname(copy))
    for (const name of names.filter((each) => each.startsWith(basename(copy)))) await rm(join(dirname(copy), name))
  }
}

async function migrateAndProve(copy: string, pending: readonly Migration[]): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase({ sqliteFile: copy })
  opened.defer(() => database.close())
  const began = performance.now()
  await migrate(database, undefined, timedSteps())
  console.log(
    `\n${stepsInWords(pending)} pending, ${secondsSince(began)} in all; the gateway does not respond during that time.`,
  )
  if (pending.some(({ breaking }) => breaking)) {
    console.log(
      'Before a breaking step the database is copied. The copy is included in that time and is kept next to the database.',
    )
  }
  if (!(await isLedgerSound(database, 'incremental'))) return 1
  console.log('Nothing was changed: everything was done on a copy, which has been removed.')
  return 0
}

function timedSteps(): (step: Migration) => void {
  let before = performance.now()
  return (step) => {
    console.log(`${inWords(step)}  ${secondsSince(before)}`)
    before = performance.now()
  }
}

const inWords = ({ name, breaking }: Migration): string => `${name.padEnd(28)}${breaking ? '  breaking' : ''}`

const stepsInWords = ({ length }: readonly Migration[]): string => (length === 1 ? '1 step is' : `${length} steps are`)

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const secondsSince = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`
