import { createReadStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DISK } from '@sluice/store/sqlite/replace-database'
import { StartProblem } from '../environment/configured.ts'
import type { BackupPlace, StoredFile } from './backup-place.ts'

/** A folder, created if it does not exist, and readable only by its owner. */
export async function openFolderPlace(folder: string): Promise<BackupPlace> {
  const root = resolve(folder)
  await inFolder(root, () => mkdir(root, { recursive: true, mode: 0o700 }))
  const at = (name: string): string => join(root, name)
  return {
    words: root,
    workFolder: root,
    list: (prefix) =>
      inFolder(root, async () => {
        const names = (await readdir(root)).filter((name) => name.startsWith(prefix))
        const found = await Promise.all(names.map((name) => fileIfAny(root, name)))
        return found.flatMap((file) => file ?? [])
      }),
    read: (name) => createReadStream(at(name)) as AsyncIterable<Buffer>,
    store: (local, name) =>
      inFolder(root, async () => {
        if (await DISK.exists(at(name))) throw new StartProblem(`${at(name)} already exists.`)
        await DISK.move(local, at(name))
      }),
    storeText: (name, text) => inFolder(root, () => DISK.write(at(name), text)),
    remove: (name) => inFolder(root, () => DISK.remove(at(name))),
    // All copies are made under the same name, so the next copy overwrites an old one.
    sweep: async () => {},
    close: async () => {},
  }
}

async function fileIfAny(root: string, name: string): Promise<StoredFile | undefined> {
  const found = await stat(join(root, name)).catch(() => undefined)
  return found?.isFile() === true ? { name, bytes: found.size } : undefined
}

/** Adds the folder's name to errors of the system. */
async function inFolder<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new StartProblem(`Backups in ${root}: ${error.message}.`)
    throw error
  }
}
