import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, resolve } from 'node:path'
import { readContents } from '@sluice/store/queries/database-contents'
import { DISK } from '@sluice/store/sqlite/replace-database'
import { copyChecked } from '../backup/copy-checked.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { createManifest, type Manifest, manifestOf, manifestText } from '../backup/manifest.ts'
import { openConfiguredPlace } from '../backup/place-of.ts'
import type { Config } from '../config.ts'
import { openExisting, StartProblem } from '../configured.ts'
import { VERSION } from '../version.ts'

/**
 * Copies the SQLite database, even while the gateway is running: to `file`, or without one to where scheduled backups go. The copy
 * is checked and flushed before it gets its name, and its manifest follows, so files of these names are always complete. Returns the
 * exit code.
 */
export async function backUp(config: Config, file: string | undefined): Promise<number> {
  // The copy takes a core for as long as it lasts; a running gateway needs it more.
  setPriority(constants.priority.PRIORITY_LOW)
  const { sqliteFile, database } = await findDatabase(config)
  const { what, manifest, more } =
    file === undefined ? await toPlace(config, sqliteFile, database) : await toFile(sqliteFile, resolve(file))
  console.log(`${what}: ${(manifest.bytes / 1_000_000).toFixed(1)} MB, checked.`)
  for (const line of more) console.log(line)
  if (manifest.keys.length > 0) console.log(`Keep master key ${manifest.keys.join(', ')} apart from it.`)
  return 0
}

interface Made {
  readonly what: string
  readonly manifest: Manifest
  /** Further lines for the operator. */
  readonly more: readonly string[]
}

async function findDatabase(config: Config): Promise<{ readonly sqliteFile: string; readonly database: string }> {
  const database = await openExisting(config)
  try {
    if (database.engine === 'postgres') throw new StartProblem('The data is on PostgreSQL: back it up with pg_dump.')
    const contents = await readContents(database.kysely)
    return { sqliteFile: database.file, database: contents.database }
  } finally {
    await database.close()
  }
}

async function toFile(sqliteFile: string, copy: string): Promise<Made> {
  for (const name of [copy, manifestOf(copy)]) {
    if (existsSync(name)) throw new StartProblem(`${name} exists already; a backup never overwrites a file.`)
  }
  const made = new Date().toISOString()
  const partial = `${copy}.${process.pid}.partial`
  const { contents, ...digest } = await copyChecked(sqliteFile, partial)
  const manifest = createManifest(contents, { made, program: VERSION, file: basename(copy), ...digest })
  try {
    await rename(partial, copy)
    await DISK.write(manifestOf(copy), manifestText(manifest))
  } finally {
    await rm(partial, { force: true })
  }
  return { what: copy, manifest, more: [] }
}

async function toPlace(config: Config, sqliteFile: string, database: string): Promise<Made> {
  const stop = new AbortController()
  // The gateway that started this process has ended, or asks it to end.
  process.once('disconnect', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const place = await openConfiguredPlace(config, Date.now, stop.signal)
  try {
    const { name, manifest, removed, problem } = await makeBackup({
      sqliteFile,
      database,
      place,
      retention: config.backupKeep,
      program: VERSION,
      now: Date.now,
    })
    const more = [
      ...(removed.length > 0 ? [`Removed, as SLUICE_BACKUP_KEEP says: ${removed.join(', ')}.`] : []),
      ...(problem === undefined ? [] : [`Older backups could not be removed: ${problem}`]),
    ]
    return { what: `${place.words}/${name}`, manifest, more }
  } finally {
    await place.close()
    if (process.connected) process.disconnect()
  }
}
