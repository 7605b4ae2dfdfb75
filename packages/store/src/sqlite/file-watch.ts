import { stat } from 'node:fs/promises'

/** Stops checking. */
export interface FileWatch {
  close(): void
}

const LOOK_MS = 5_000

/**
 * Watches the database file and its write-ahead log, which must be open by now: what goes to a file that was deleted
 * or replaced on the disk is lost when the process is killed. And its lock: without that file a second process would lock another one, and both
 * would write. SQLite itself deletes the log only after its last connection. Calls
 * `onReplaced` once, with the path of the file that is no longer the one that was opened.
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
    // What could not be checked when it was opened is learned from the first check that succeeds.
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

/** Device and number of the file; `gone` when there is none; undefined when it cannot be checked now. */
async function identify(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : undefined
  }
}
