import { readFile, rm, writeFile } from 'node:fs/promises'
import { holdFileLock } from './connection.ts'

/** The right to change a database; one process has it at a time. */
export interface DatabaseLock {
  release(): Promise<void>
}

/** Another process did not release the lock in time; `holder` is its description of itself, undefined when that cannot be read. */
export interface LockedByOther {
  readonly holder: string | undefined
}

const LOOK_MS = 100
const MAX_HOLDER_CHARACTERS = 200

/**
 * Locks a SQLite database for as long as this process lives, so that no second gateway works on it: each would consider the other
 * dead and close its holds. The lock is `<file>.lock`, because closing any descriptor of the database itself drops the locks on it
 * (see `connection.ts`); next to it, `<file>.owner` describes who has the lock. Retries for `waitMs`, because the previous gateway
 * may be about to exit; `onWait` is called once if that takes any time.
 */
export async function lockDatabase(options: {
  readonly file: string
  /** Who requests the lock, in words for the operator. */
  readonly holder: string
  readonly waitMs: number
  readonly onWait: (other: LockedByOther) => void
  readonly pause: (ms: number) => Promise<void>
}): Promise<DatabaseLock | LockedByOther> {
  const { file, holder, waitMs, onWait, pause } = options
  const owner = `${file}.owner`
  for (let waited = 0; ; waited += LOOK_MS) {
    const letGo = holdFileLock(`${file}.lock`)
    if (letGo !== undefined) {
      try {
        // A symbolic link in this place is removed, not followed.
        await rm(owner, { force: true })
        await writeFile(owner, holder, { mode: 0o600, flag: 'wx' })
      } catch (error) {
        // On a full disk the file is created but its text is not written.
        await rm(owner, { force: true }).catch(() => {})
        letGo()
        throw error
      }
      return {
        release: async () => {
          await rm(owner, { force: true })
          letGo()
        },
      }
    }
    if (waited >= waitMs) return { holder: await readHolder(owner) }
    if (waited === 0) onWait({ holder: await readHolder(owner) })
    await pause(LOOK_MS)
  }
}

async function readHolder(owner: string): Promise<string | undefined> {
  const text = await readFile(owner, 'utf8').catch(() => '')
  return text === '' ? undefined : text.slice(0, MAX_HOLDER_CHARACTERS)
}
