import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { StartProblem } from '../environment/configured.ts'
import type { BackedUpData } from './backed-up-data.ts'
import { backupName, isBackupName, namePrefix } from './backup-names.ts'
import { type BackupPlace, readText } from './backup-place.ts'
import { copyChecked } from './copy-checked.ts'
import { createManifest, type Manifest, MANIFEST_BYTES, manifestOf, manifestText } from './manifest.ts'
import { type Retention, superfluous } from './retention.ts'
import { digestProblem, listBackups, removeBackup } from './stored-backups.ts'
import { removeWorkingCopy } from './working-copy.ts'

export interface BackupOrder {
  readonly data: BackedUpData
  readonly place: BackupPlace
  readonly retention: Retention
  readonly program: string
  /** Unix milliseconds. */
  readonly now: () => number
}

export interface MadeBackup extends Removed {
  readonly name: string
  readonly manifest: Manifest
}

interface Removed {
  readonly removed: readonly string[]
  /** The reason why not all of them could be deleted; the new one is complete nevertheless. */
  readonly problem?: string
}

/**
 * Copies, checks the copy, stores it, reads it back, writes its manifest, and only then deletes superfluous backups. One runs at a
 * time for each database. Rejects with a `StartProblem`, and then leaves nothing behind.
 */
export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const { data, place, now } = order
  const { database } = data
  const letGo = await data.lock()
  if (letGo === undefined) throw new StartProblem(`Another process is making a backup of ${data.words}.`)
  const begun = now()
  const name = backupName(database, begun)
  // Always the same name, so that the next backup removes the copy of a killed process.
  const copy = join(place.workFolder ?? data.workFolder, `${namePrefix(database)}partial`)
  try {
    await place.sweep(namePrefix(database))
    await removeUnfinished(place, database)
    await removeWorkingCopy(copy)
    const { contents, ...digest } = await copyChecked(data, copy)
    const made = new Date(begun).toISOString()
    const manifest = createManifest(contents, { made, program: order.program, file: name, ...digest })
    await storeChecked(place, copy, manifest)
    return { name, manifest, ...(await removeSuperfluous(order)) }
  } finally {
    await removeWorkingCopy(copy)
    await letGo()
  }
}

async function storeChecked(place: BackupPlace, copy: string, manifest: Manifest): Promise<void> {
  const { file: name } = manifest
  if ((await place.list(name)).length > 0) throw new StartProblem(`${place.words}/${name} already exists.`)
  const marker = markerOf(manifest.database)
  try {
    await place.storeText(marker, name)
    await place.store(copy, name, manifest)
    const problem = await digestProblem(place.read(name), manifest, createHash('sha256'))
    if (problem !== undefined) {
      throw new StartProblem(`${place.words}/${name} was stored incorrectly: ${problem}. It was removed.`)
    }
    await place.storeText(manifestOf(name), manifestText(manifest))
  } catch (error) {
    await removeBackup(place, name).catch(() => {})
    throw error
  } finally {
    // If this fails, the next backup finds nothing to remove.
    await place.remove(marker).catch(() => {})
  }
}

/** The file with this name contains the name of the backup that is being stored. */
const markerOf = (database: string): string => `${namePrefix(database)}storing`

/** Removes files that a killed process stored without a manifest. Others that no marker names belong to somebody else. */
async function removeUnfinished(place: BackupPlace, database: string): Promise<void> {
  const marker = markerOf(database)
  if (!(await place.list(marker)).some(({ name }) => name === marker)) return
  const name = (await readText(place, marker, MANIFEST_BYTES)) ?? ''
  const isOurs = isBackupName(name) && name.startsWith(namePrefix(database))
  const hasManifest = (await place.list(name)).some((file) => file.name === manifestOf(name))
  if (isOurs && !hasManifest) await place.remove(name)
  await place.remove(marker).catch(() => {})
}

async function removeSuperfluous({ place, data: { database }, retention }: BackupOrder): Promise<Removed> {
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
