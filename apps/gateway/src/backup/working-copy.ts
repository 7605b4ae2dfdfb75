import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The process that a file name identifies. */
export interface Worker {
  /** Name of the machine or container within which the process id is valid. */
  readonly machine: string
  readonly pid: number
  readonly isAlive: (pid: number) => boolean
  /** Unix milliseconds. */
  readonly now: () => number
}

/** No command works on a copy for longer than this. */
const ABANDONED_MS = 86_400_000

export const THIS_PROCESS: Worker = {
  machine: hostname(),
  pid: process.pid,
  isAlive: (pid) => {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      // A process of another user is running too.
      return error instanceof Error && 'code' in error && error.code === 'EPERM'
    }
  },
  now: Date.now,
}

/** A file name that only this process uses, so that several commands can run side by side. */
export function workingCopy(base: string, { machine, pid }: Worker = THIS_PROCESS): string {
  return `${base}-${machine}-${pid}`
}

/** Removes killed processes' working copies: this machine's at once, others, which cannot be checked, after a day. */
export async function sweepWorkingCopies(base: string, worker: Worker = THIS_PROCESS): Promise<void> {
  const begin = `${basename(base)}-`
  for (const name of await namesIn(dirname(base))) {
    const owner = name.startsWith(begin) ? ownerOf(name.slice(begin.length)) : undefined
    if (owner === undefined) continue
    const path = join(dirname(base), name)
    const isLeft =
      owner.machine === worker.machine ? !worker.isAlive(owner.pid) : await isOlder(path, worker.now() - ABANDONED_MS)
    if (isLeft) await rm(path, { force: true })
  }
}

/** Removes a working copy, SQLite's files next to it, the copy of its trial migration, and the one made before a breaking step. */
export async function removeWorkingCopy(copy: string): Promise<void> {
  const own = [copy, `${copy}-wal`, `${copy}-shm`].map((path) => basename(path))
  const begins = [`${basename(copy)}-migrated`, `${basename(copy)}.before-`]
  for (const name of await namesIn(dirname(copy))) {
    if (!own.includes(name) && !begins.some((begin) => name.startsWith(begin))) continue
    await rm(join(dirname(copy), name), { force: true })
  }
}

/** The machine and process of a name that begins with `machine-pid`. */
function ownerOf(rest: string): { readonly machine: string; readonly pid: number } | undefined {
  const match = /^(.+)-(\d+)(?:-wal|-shm|-migrated.*|\.before-.*)?$/.exec(rest)
  return match === null ? undefined : { machine: match[1] ?? '', pid: Number(match[2]) }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function isOlder(path: string, than: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs < than
}
