import { isBackupName } from './backup-names.ts'
import { type BackupPlace, readText } from './backup-place.ts'
import { type Manifest, MANIFEST_BYTES, manifestOf, readManifest } from './manifest.ts'

export interface StoredBackup {
  readonly name: string
  /** Undefined when only the manifest exists. */
  readonly bytes: number | undefined
  /** The manifest, or its fault as the end of a sentence. */
  readonly manifest: Manifest | { readonly problem: string }
}

/** The scheduled backups whose names begin with `prefix`, newest last. Skips files with other names. */
export async function listBackups(place: BackupPlace, prefix: string): Promise<readonly StoredBackup[]> {
  const sizes = new Map((await place.list(prefix)).map(({ name, bytes }) => [name, bytes]))
  const names = [...sizes.keys()].map((name) => (name.endsWith('.json') ? name.slice(0, -'.json'.length) : name))
  const found: StoredBackup[] = []
  for (const name of [...new Set(names)].filter(isBackupName).toSorted()) {
    const manifest = sizes.has(manifestOf(name)) ? await manifestAt(place, name) : { problem: 'is missing' }
    found.push({ name, bytes: sizes.get(name), manifest })
  }
  return found
}

/** The manifest stored next to a file; a problem unless it names this file. */
async function manifestAt(place: BackupPlace, name: string): Promise<StoredBackup['manifest']> {
  const text = await readText(place, manifestOf(name), MANIFEST_BYTES)
  const manifest = text === undefined ? { problem: 'is too long' } : readManifest(text)
  if ('problem' in manifest || manifest.file === name) return manifest
  return { problem: `belongs to ${manifest.file}` }
}

/** Deletes a backup: the file first, so that after an interruption the manifest still names the rest. */
export async function removeBackup(place: BackupPlace, name: string): Promise<void> {
  await place.remove(name)
  await place.remove(manifestOf(name))
}

/** The difference between the stored file and its manifest, as the end of a sentence. Reads the whole file. */
export async function digestProblem(
  stored: AsyncIterable<Buffer>,
  expected: Pick<Manifest, 'bytes' | 'sha256'>,
  digest: { update(chunk: Buffer): unknown; digest(encoding: 'hex'): string },
): Promise<string | undefined> {
  let bytes = 0
  for await (const chunk of stored) {
    bytes += chunk.length
    digest.update(chunk)
  }
  if (bytes !== expected.bytes) return `it has ${bytes} bytes instead of ${expected.bytes}`
  return digest.digest('hex') === expected.sha256 ? undefined : 'its SHA-256 differs'
}
