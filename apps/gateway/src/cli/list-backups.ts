import { createHash } from 'node:crypto'
import { findLastBackup } from '@sluice/store/queries/backup-runs'
import type { BackupPlace } from '../backup/backup-place.ts'
import { openConfiguredPlace } from '../backup/place-of.ts'
import { digestProblem, listBackups, type StoredBackup } from '../backup/stored-backups.ts'
import { openExisting, StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'

/** Lists scheduled backups by their manifests. Returns 1 without backups or when one is incomplete, otherwise 0. */
export async function listStoredBackups(config: Config, isFull: boolean): Promise<number> {
  const place = await openConfiguredPlace(config, Date.now, new AbortController().signal)
  try {
    const backups = await listBackups(place, 'sluice-')
    if (backups.length === 0) console.log(`There are no backups in ${place.words}.`)
    let isWhole = backups.length > 0
    for (const backup of backups) {
      const problem = await problemOf(place, backup, isFull)
      isWhole &&= problem === undefined
      console.log(`${problem === undefined ? 'ok   ' : 'WRONG'} ${backup.name}  ${problem ?? describe(backup)}`)
    }
    console.log(await latestText(config))
    return isWhole ? 0 : 1
  } finally {
    await place.close()
  }
}

async function problemOf(
  place: BackupPlace,
  { name, bytes, manifest }: StoredBackup,
  isFull: boolean,
): Promise<string | undefined> {
  if ('problem' in manifest) return `its manifest ${manifest.problem}`
  if (bytes === undefined) return 'only its manifest exists'
  if (bytes !== manifest.bytes) return `it has ${bytes} bytes instead of ${manifest.bytes}`
  return isFull ? await digestProblem(place.read(name), manifest, createHash('sha256')) : undefined
}

function describe({ manifest }: StoredBackup): string {
  if ('problem' in manifest) return ''
  const { bytes, program, migration, keys, sums } = manifest
  return `${(bytes / 1_000_000).toFixed(1)} MB, version ${program} (${migration}), ${sums.users} users, ${sums.tokens} tokens, ${sums.channels} channels, ${sums.charges} charges, master key ${keys.join(', ') || 'not needed'}`
}

/** The gateway's own records, because somebody might have deleted backups at their place. */
async function latestText(config: Config): Promise<string> {
  const unknown = 'No scheduled backup is recorded.'
  try {
    const database = await openExisting(config)
    try {
      const latest = await findLastBackup(database.kysely, Date.now())
      if (latest === undefined) return unknown
      return `The latest scheduled backup is from ${new Date(latest.begun).toISOString()}, in ${latest.place}.`
    } finally {
      await database.close()
    }
  } catch (error) {
    // The list is most useful on a machine that has lost its database.
    if (error instanceof StartProblem) return unknown
    throw error
  }
}
