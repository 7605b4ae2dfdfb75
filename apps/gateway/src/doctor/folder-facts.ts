import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytesOf } from '@sluice/store/free-bytes'
import type { FileFacts, FolderFacts } from './checks/disk.ts'

const MOST_FILES = 1_000
/** Folder of uploads that wait for their import. */
const UPLOADS = 'import'

/** The file system's data about a data folder; undefined if it does not exist, as with PostgreSQL and a key in the environment. */
export async function readFolder(path: string): Promise<FolderFacts | undefined> {
  if (!existsSync(path)) return undefined
  const [freeBytes, { type }, own, files, uploads] = await Promise.all([
    freeBytesOf(path),
    statfs(path),
    stat(path),
    filesOf(path, ''),
    filesOf(join(path, UPLOADS), `${UPLOADS}/`),
  ])
  return {
    path,
    freeBytes,
    // Types above 31 bits are negative numbers on some systems.
    type: type >>> 0,
    mode: own.mode,
    files: [...files, ...uploads],
  }
}

export async function readSpace(path: string): Promise<Pick<FolderFacts, 'path' | 'freeBytes'>> {
  return { path, freeBytes: await freeBytesOf(path) }
}

/** Permission bits; undefined if this machine has no such folder, as with a bucket. */
export async function readMode(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mode
}

/** Files can appear and disappear while they are listed; a missing folder has none. */
async function filesOf(folder: string, prefix: string): Promise<readonly FileFacts[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const files = await Promise.all(
    names.slice(0, MOST_FILES).map(async (name): Promise<readonly FileFacts[]> => {
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (found === undefined || !found.isFile()) return []
      return [{ name: `${prefix}${name}`, bytes: found.size, mode: found.mode, changedMs: found.mtimeMs }]
    }),
  )
  return files.flat()
}
