import { open, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The replacement of one database by another. All names are in the folder of `file`. */
export interface Replacement {
  /** The database that is replaced, as a set with the files next to it. It may be absent. */
  readonly file: string
  /** Its replacement: complete, flushed and closed. */
  readonly next: string
  /** The name under which the current files are kept; the files next to the database are named after it. */
  readonly kept: string
}

/** The file operations of a replacement; tests substitute a failing one. Each call is durable when it returns. */
export interface Disk {
  exists(path: string): Promise<boolean>
  move(from: string, to: string): Promise<void>
  /** The file appears under its name only when it is complete. */
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
}

/** Files next to a database that belong to it: SQLite's own, … */
const SQLITE_FILES = ['-wal', '-shm'] as const
/** … and the record log of an earlier version. */
const RECORD_FILES = ['.records-0', '.records-1'] as const

/** The file next to a database under replacement: it records what has been decided and may not be done yet. */
export function replacingFile(file: string): string {
  return `${file}.replacing`
}

/**
 * Puts `next` in the place of `file`. The caller holds the lock of the database. Several files cannot be renamed at once, so the
 * decision is recorded first: if the process dies before that, everything stays as it was; after it, the next `finishReplacement`,
 * which every start calls, does the rest. Nothing is deleted or overwritten.
 */
export async function replaceDatabase({ file, next, kept }: Replacement, disk = DISK): Promise<void> {
  if (await disk.exists(`${next}-wal`)) throw new Error('a database that replaces another one must be closed')
  const decision: Decision = { next: basename(next), kept: basename(kept) }
  await disk.write(replacingFile(file), JSON.stringify(decision))
  await finishReplacement(file, disk)
}

/** `kept`: the name under which the replaced files are kept. `gone`: the missing replacement, because of which nothing was done. */
export type FinishedReplacement = { readonly kept: string; readonly gone?: string }

/** Finishes what an interrupted `replaceDatabase` decided; undefined when nothing was left to do. The caller holds the lock. */
export async function finishReplacement(file: string, disk = DISK): Promise<FinishedReplacement | undefined> {
  const decision = await readDecision(replacingFile(file))
  if (decision === undefined) return undefined
  const [next, kept] = [join(dirname(file), decision.next), join(dirname(file), decision.kept)]
  // Once the new database has its final name, everything else has already been moved.
  if (await disk.exists(next)) {
    const sides = decision.leavesRecords === true ? SQLITE_FILES : [...SQLITE_FILES, ...RECORD_FILES]
    for (const side of sides) await moveIfThere(`${file}${side}`, `${kept}${side}`, disk)
    await moveIfThere(file, kept, disk)
    await disk.move(next, file)
  } else if (!(await disk.exists(file))) {
    return { kept, gone: next }
  }
  await disk.remove(replacingFile(file))
  return { kept }
}

/** If a file has appeared at the target name meanwhile, it belongs to another program and is kept as well. */
async function moveIfThere(from: string, to: string, disk: Disk): Promise<void> {
  if (!(await disk.exists(from))) return
  let free = to
  for (let more = 2; await disk.exists(free); more += 1) free = `${to}.${more}`
  await disk.move(from, free)
}

interface Decision {
  readonly next: string
  readonly kept: string
  /** Written by a version that had `restore --keep-recorded-charges`: the next start charges what is in the record log. */
  readonly leavesRecords?: boolean
}

async function readDecision(path: string): Promise<Decision | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Decision
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export const DISK: Disk = {
  exists: async (path) => {
    try {
      await stat(path)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  },
  move: async (from, to) => {
    await rename(from, to)
    await flushFolder(dirname(to))
  },
  write: async (path, text) => {
    const partial = await freePartial(path)
    const handle = await open(partial, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await DISK.move(partial, path)
  },
  remove: async (path) => {
    await rm(path, { force: true })
    await flushFolder(dirname(path))
  },
}

/**
 * The name under which a file is written until it is complete. Anything already there was left by a killed process or put there by
 * someone else, and is removed first (a link itself, not its target). The file is then created exclusively, so a link that appears
 * in between is not followed.
 */
async function freePartial(path: string): Promise<string> {
  const partial = `${path}.partial`
  await unlink(partial).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  return partial
}

export async function flushFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable; on Windows they already are. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
