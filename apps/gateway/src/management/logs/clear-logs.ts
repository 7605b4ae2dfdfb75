import { LOG_TYPE } from '@sluice/contract/log'
import type { Queries } from '@sluice/store/database'
import {
  type DeleteOld,
  deleteLogsBefore,
  deleteLogSumsBefore,
  openClearing,
} from '@sluice/store/queries/logs/log-clearing'
import { countLogs, insertLog } from '@sluice/store/queries/logs/logs'
import { deleteTracesBefore } from '@sluice/store/queries/logs/traces'
import { raiseOption } from '@sluice/store/queries/options'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { clearedBefore } from './log-scope.ts'

/** Deletes logs and traces created before a unix time; returns the number of deleted log rows. */
export type ClearLogs = (caller: Caller, before: number) => Promise<number>

/** Target duration of a deleting statement: writers may have to wait that long for its lock. */
const CHUNK_MS = 2
const CHUNK_MIN = 20
const CHUNK_MAX = 1_000
/** Deletion is active at most half of the time, so that a caller waiting for the lock gets it. */
const REST_MIN_MS = 2

/**
 * Moves the horizon first: from then on, older rows are hidden, and `sluice ledger verify` knows that they can be gone. The rows
 * themselves are deleted in the background, in chunks and on a separate connection, so that neither the console's queries nor the
 * ledger wait for them. If the gateway stops in the middle, the next clearing resumes the deletion. Later rows reuse the space; the
 * file does not shrink.
 */
export function createClearLogs(deps: Pick<SharedPorts, 'database' | 'options' | 'now' | 'inBackground'>): ClearLogs {
  const { database } = deps
  const db = database.kysely

  const deleteAll = async (before: number, signal: AbortSignal): Promise<void> => {
    const own = await openClearing(database)
    try {
      for (const deleteChunk of [deleteLogsBefore, ...deleteLogSumsBefore, deleteTracesBefore]) {
        await deleteInChunks(own, deleteChunk, before, signal)
      }
    } finally {
      await own.close()
    }
  }

  return async (caller, before) => {
    const cleared = clearedBefore(deps)
    const count =
      before <= cleared ? 0 : await countLogs(db, { from: cleared > 0 ? cleared : undefined, to: before - 1 })
    await raiseOption(db, 'LogClearedBefore', before)
    const content = `Logs created before ${new Date(before * 1_000).toISOString()} cleared (${count} rows), by ${caller.username} (id ${caller.id})`
    const createdAt = Math.floor(deps.now() / 1_000)
    await insertLog(db, { type: LOG_TYPE.management, createdAt, userId: caller.id, username: caller.username, content })
    deps.inBackground((signal) => deleteAll(before, signal))
    return count
  }
}

async function deleteInChunks(
  own: Queries,
  deleteChunk: DeleteOld,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  let chunk = CHUNK_MIN
  for (;;) {
    const started = performance.now()
    const deleted = await deleteChunk(own.kysely, before, chunk)
    if (deleted < chunk || signal.aborted) return
    const elapsed = performance.now() - started
    chunk = Math.round(Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, elapsed > CHUNK_MS ? chunk / 2 : chunk * 1.25)))
    await new Promise((resolve) => setTimeout(resolve, Math.max(REST_MIN_MS, elapsed)))
  }
}
