import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate in-memory file system, whose size changes while programs use it. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves this many bytes free, in whole pages. */
  fill(freeBytes: number): void
  makeRoom(): void
  /** Call this when nobody uses it any more. */
  remove(): void
}

const ROOMY_BYTES = 256 * 1024 * 1024

/** Undefined if this process may not mount. */
export function mountSmallDisk(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  if (!mount(['-t', 'tmpfs', '-o', `size=${ROOMY_BYTES}`, 'tmpfs', folder])) {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const resize = (bytes: number): boolean => mount(['-o', `remount,size=${bytes}`, folder])
  return {
    folder,
    fill: (freeBytes) => {
      // Writes between measurement and change can make the new size too small, which is refused.
      for (let tries = 0; tries < TRIES; tries += 1) if (resize(usedBytes(folder) + freeBytes)) return
      throw new Error(`${folder} could not be filled`)
    },
    makeRoom: () => {
      if (!resize(ROOMY_BYTES)) throw new Error(`${folder} could not be enlarged`)
    },
    remove: () => {
      // Lazily, in case a failed test still reads a file.
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

const TRIES = 20

function usedBytes(folder: string): number {
  const { blocks, bfree, bsize } = statfsSync(folder)
  return (blocks - bfree) * bsize
}

function mount(args: readonly string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
