import { hostname } from 'node:os'
import type { Database } from '@sluice/store/database'

/** A heartbeat is written every 10 s; one that is older than this tells nothing. */
const FRESH_MS = 30_000

/** Name of this process among all that ever used the database: machine, process id, and an id of this start. */
export function replicaName(id: string): string {
  return `${hostname()}:${process.pid}:${id}`
}

/**
 * Process id of another gateway that works on the same SQLite file at the moment. Two would each take the other for dead and
 * close its holds; so the second one must not start. A name without a living process is a crash, and no obstacle.
 */
export async function otherProcess(database: Database, now: number): Promise<number | undefined> {
  const rows = await database.kysely
    .selectFrom('replica')
    .select('id')
    .where('dead', '=', 0)
    .where('heartbeat_ms', '>', now - FRESH_MS)
    .execute()
  for (const { id } of rows) {
    const [host, pid] = id.split(':')
    if (host === hostname() && Number(pid) !== process.pid && isAlive(Number(pid))) return Number(pid)
  }
  return undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // No permission to signal it means that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
