import { stat } from 'node:fs/promises'

export interface FileWatch {
  close(): void
}

const LOOK_MS = 5_000

/**
 * Watches the database file and its write-ahead log, which must already be open: writes to a file that was deleted or replaced on
 * disk are lost when the process is killed. It also watches the lock file: without it a second process would lock a new one, and
 * both would write. SQLite itself deletes the log only when its last connection closes. Calls `onReplaced` once, with the path of a
 * file that is no longer the one that was opened.
 */
export async function openDatabaseFileWatch(parts: {
  readonly file: string
  /** Calls back at this interval in milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => void) => () => void
  readonly onReplaced: (path: string) => void
}): Promise<FileWatch> {
  const paths = [parts.file, `${parts.file}-wal`, `${parts.file}.lock`]
  const opened = await Promise.all(paths.map(identify))
  const look = async (): Promise<void> => {
    const found = await Promise.all(paths.map(identify))
    // A file that could not be checked at the start is identified by the first check that succeeds.
    for (const [at, identity] of found.entries()) opened[at] ??= identity
    const replaced = paths.find((_, at) => found[at] !== undefined && found[at] !== opened[at])
    if (replaced === undefined || isClosed) return
    close()
    parts.onReplaced(replaced)
  }
  let isClosed = false
  const stop = parts.every(LOOK_MS, () => void look())
  const close = (): void => {
    isClosed = true
    stop()
  }
  return { close }
}

/** Device and inode number of the file; `gone` when it does not exist; undefined when it cannot be checked now. */
async function identify(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : undefined
  }
}
