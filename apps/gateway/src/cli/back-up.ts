import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, resolve } from 'node:path'
import type { PostgresDatabase } from '@sluice/store/database'
import { readContents } from '@sluice/store/queries/database-contents'
import { readDatabaseMove } from '@sluice/store/queries/moves/database-move'
import { DISK } from '@sluice/store/sqlite/replace-database'
import { type BackedUpData, sqliteData } from '../backup/backed-up-data.ts'
import { copyChecked } from '../backup/copy-checked.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { createManifest, type Manifest, manifestOf, manifestText } from '../backup/manifest.ts'
import { openConfiguredPlace } from '../backup/place-of.ts'
import { serverData } from '../backup/server-data.ts'
import { removeWorkingCopy, sweepWorkingCopies, workingCopy } from '../backup/working-copy.ts'
import { openExisting, StartProblem, targetOf } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { problemOfMove } from '../move/moved-database.ts'
import { VERSION } from '../process/identity.ts'
import { databaseName } from './database-name.ts'

/** Time to abort an upload. Other unfinished work is left at once, and the next backup removes it. */
const STOP_MS = 3_000

/**
 * Copies the database to a SQLite file, even while gateways work on it: to `file`, by default to the place of scheduled backups.
 * The copy is checked and flushed before it gets its name, and its manifest follows, so named files are always complete. Returns
 * the exit code.
 */
export async function backUp(config: Config, file: string | undefined): Promise<number> {
  // Copying keeps one core busy, and a running gateway needs it more.
  setPriority(constants.priority.PRIORITY_LOW)
  await using opened = new AsyncDisposableStack()
  const data = await openData(config, opened)
  const { what, manifest, more } = file === undefined ? await toPlace(config, data) : await toFile(data, resolve(file))
  console.log(`${what}: ${(manifest.bytes / 1_000_000).toFixed(1)} MB, checked.`)
  for (const line of more) console.log(line)
  if (manifest.keys.length > 0) console.log(`Keep master key ${manifest.keys.join(', ')} in a different place.`)
  return 0
}

interface Made {
  readonly what: string
  readonly manifest: Manifest
  readonly more: readonly string[]
}

async function openData(config: Config, opened: AsyncDisposableStack): Promise<BackedUpData> {
  const database = await openExisting(config)
  if (database.engine === 'postgres') {
    opened.defer(() => database.close())
    return await openServerData(config, database)
  }
  try {
    return sqliteData(database.file, (await readContents(database.kysely)).database)
  } finally {
    await database.close()
  }
}

async function openServerData(config: Config, server: PostgresDatabase): Promise<BackedUpData> {
  const problem = await problemOfMove(server)
  if (problem !== undefined) throw new StartProblem(problem)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const { id } = await readDatabaseMove(server.kysely)
  return serverData(server, { database: id, words: databaseName(targetOf(config)), workFolder: config.dataDir })
}

async function toFile(data: BackedUpData, copy: string): Promise<Made> {
  for (const name of [copy, manifestOf(copy)]) {
    if (existsSync(name)) throw new StartProblem(`${name} already exists; a backup never overwrites a file.`)
  }
  const made = new Date().toISOString()
  const base = `${copy}.partial`
  await sweepWorkingCopies(base)
  const partial = workingCopy(base)
  const { contents, ...digest } = await copyChecked(data, partial)
  const manifest = createManifest(contents, { made, program: VERSION, file: basename(copy), ...digest })
  try {
    await nameBackup(partial, copy, manifest)
  } finally {
    await removeWorkingCopy(partial)
  }
  return { what: copy, manifest, more: [] }
}

/** Without a manifest, a copy does not count as a backup. */
async function nameBackup(partial: string, copy: string, manifest: Manifest): Promise<void> {
  await rename(partial, copy)
  try {
    await DISK.write(manifestOf(copy), manifestText(manifest))
  } catch (error) {
    await rm(copy, { force: true })
    await rm(`${manifestOf(copy)}.partial`, { force: true }).catch(() => {})
    throw error
  }
}

async function toPlace(config: Config, data: BackedUpData): Promise<Made> {
  const stop = new AbortController()
  // The gateway that started this process has ended, or asks it to end.
  process.once('disconnect', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const place = await openConfiguredPlace(config, Date.now, stop.signal)
  const endSoon = (): void => {
    setTimeout(() => process.exit(1), place.workFolder === undefined ? STOP_MS : 0)
  }
  stop.signal.addEventListener('abort', endSoon)
  // That gateway may have ended already.
  const { connected }: { readonly connected?: boolean } = process
  if (stop.signal.aborted || (connected !== undefined && !connected)) endSoon()
  try {
    const { name, manifest, removed, problem } = await makeBackup({
      data,
      place,
      retention: config.backupKeep,
      program: VERSION,
      now: Date.now,
    })
    const more = [
      ...(removed.length > 0 ? [`Removed according to SLUICE_BACKUP_KEEP: ${removed.join(', ')}.`] : []),
      ...(problem === undefined ? [] : [`Older backups could not be removed: ${problem}`]),
    ]
    return { what: `${place.words}/${name}`, manifest, more }
  } finally {
    // From here on, this process itself disconnects.
    stop.signal.removeEventListener('abort', endSoon)
    await place.close()
    if (process.connected) process.disconnect()
  }
}
