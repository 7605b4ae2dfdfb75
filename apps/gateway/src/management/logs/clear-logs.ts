import { countLogsBefore, deleteLogsBefore, insertLog } from '@sluice/store/queries/logs'
import { setOption } from '@sluice/store/queries/options'
import { deleteTracesBefore } from '@sluice/store/queries/traces'
import type { ManagementDeps } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

/** A chunk holds the database for some 30 ms on a small machine; other calls get their turn in between. */
const CHUNK = 1_000

/** Clears logs and traces created before a unix time; answers how many log rows. */
export type ClearLogs = (caller: Caller, before: number) => Promise<number>

/**
 * Clearing moves the horizon first: from then on nothing older is shown, and `sluice ledger verify` knows that those rows may
 * be gone. The rows themselves are deleted in the background, in chunks. A deletion that a stop cuts short is taken up by
 * the next clearing.
 */
export function createClearLogs(deps: ManagementDeps): ClearLogs {
  const db = deps.database.kysely

  const deleteAll = async (before: number, signal: AbortSignal): Promise<void> => {
    for (const deleteChunk of [deleteLogsBefore, deleteTracesBefore]) {
      let deleted = CHUNK
      while (deleted === CHUNK && !signal.aborted) deleted = await deleteChunk(db, before, CHUNK)
    }
  }

  return async (caller, before) => {
    const horizon = Math.max(before, deps.options().LogClearedBefore)
    const count = await countLogsBefore(db, before)
    await setOption(db, 'LogClearedBefore', String(horizon))
    const content = `Logs created before ${new Date(before * 1_000).toISOString()} cleared (${count} rows), by ${caller.username} (id ${caller.id})`
    const createdAt = Math.floor(deps.now() / 1_000)
    await insertLog(db, { type: 3, createdAt, userId: caller.id, username: caller.username, content })
    deps.inBackground((signal) => deleteAll(before, signal))
    return count
  }
}
