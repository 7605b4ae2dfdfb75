import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { holdFileLock } from '@sluice/store/sqlite/connection'
import { StartProblem } from '../configured.ts'
import { backupName, namePrefix } from './backup-names.ts'
import type { BackupPlace } from './backup-place.ts'
import { copyChecked } from './copy-checked.ts'
import { createManifest, type Manifest, manifestOf, manifestText } from './manifest.ts'
import { type Retention, superfluous } from './retention.ts'
import { digestProblem, listBackups, removeBackup } from './stored-backups.ts'

export interface BackupOrder {
  readonly sqliteFile: string
  /** Id of the database in it. */
  readonly database: string
  readonly place: BackupPlace
  readonly retention: Retention
  readonly program: string
  /** Unix milliseconds. */
  readonly now: () => number
}

/** What was made, and which older backups were deleted. */
export interface MadeBackup extends Removed {
  readonly name: string
  readonly manifest: Manifest
}

interface Removed {
  readonly removed: readonly string[]
  /** Why not all of them could be deleted; the new one is complete nevertheless. */
  readonly problem?: string
}

/**
 * Makes a backup: copies, checks the copy, stores it, reads it back and compares, writes its manifest, and only then deletes the
 * backups of this database that are no longer to be kept. One at a time for each database. Rejects with a `StartProblem`, and leaves
 * nothing of its own then.
 */
export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const { sqliteFile, database, place, now } = order
  const letGo = holdFileLock(`${sqliteFile}.backup-lock`)
  if (letGo === undefined) throw new StartProblem(`Another process makes a backup of ${sqliteFile}.`)
  const begun = now()
  const name = backupName(database, begun)
  // Always the same, so that the next one takes away what a killed process has left.
  const copy = join(place.workFolder ?? dirname(sqliteFile), `${namePrefix(database)}partial`)
  try {
    await place.sweep(namePrefix(database))
    await removeCopy(copy)
    const { contents, ...digest } = await copyChecked(sqliteFile, copy)
    const made = new Date(begun).toISOString()
    const manifest = createManifest(contents, { made, program: order.program, file: name, ...digest })
    await storeChecked(place, copy, manifest)
    return { name, manifest, ...(await removeSuperfluous(order)) }
  } finally {
    await removeCopy(copy)
    letGo()
  }
}

async function storeChecked(place: BackupPlace, copy: string, manifest: Manifest): Promise<void> {
  const { file: name } = manifest
  if ((await place.list(name)).length > 0) throw new StartProblem(`${place.words}/${name} exists already.`)
  try {
    await place.store(copy, name, manifest)
    const problem = await digestProblem(place.read(name), manifest, createHash('sha256'))
    if (problem !== undefined) {
      throw new StartProblem(`${place.words}/${name} was not stored as it was sent: ${problem}. It was removed.`)
    }
    await place.storeText(manifestOf(name), manifestText(manifest))
  } catch (error) {
    await removeBackup(place, name).catch(() => {})
    throw error
  }
}

async function removeSuperfluous({ place, database, retention }: BackupOrder): Promise<Removed> {
  const removed: string[] = []
  try {
    const backups = (await listBackups(place, namePrefix(database))).flatMap(({ name, manifest }) =>
      'problem' in manifest || manifest.database !== database ? [] : [{ name, made: Date.parse(manifest.made) }],
    )
    for (const { name } of superfluous(backups, retention)) {
      await removeBackup(place, name)
      removed.push(name)
    }
    return { removed }
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return { removed, problem: error.message }
  }
}

async function removeCopy(copy: string): Promise<void> {
  for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) await rm(name, { force: true })
}
