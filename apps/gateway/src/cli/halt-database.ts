import { mqFromQuota } from '@sluice/ledger/units'
import type { Database, PostgresDatabase, SqliteDatabase } from '@sluice/store/database'
import {
  findReplicas,
  lockStart,
  readDatabaseMove,
  type StartLock,
  writeDatabaseMove,
} from '@sluice/store/queries/moves/database-move'
import { lockDatabase } from '@sluice/store/sqlite/lock-database'
import { newRequestId } from '../edge/request-id.ts'
import { openHaltedLedger, StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { processInWords, replicaName } from '../process/identity.ts'
import { createLog } from '../process/logger.ts'

/** Keeps gateways away from a database before its data moves. Returns a working gateway's name instead, if there is one. */
export async function haltSource(config: Config, database: Database): Promise<StartLock | { readonly worker: string }> {
  const halted = database.engine === 'sqlite' ? await lockFile(database) : await haltServer(database)
  if ('worker' in halted) return halted
  try {
    // An interrupted run that has set its first mark has settled everything, and nothing can be written.
    if ((await readDatabaseMove(database.kysely)).left_ms === 0) await settleWhatIsLeft(config, database)
    if (await halted.holdOffWriters()) return halted
    await halted.release()
    return { worker: 'A connection that has been writing for some time' }
  } catch (error) {
    await halted.release()
    throw error
  }
}

/** Keeps gateways and other moves away from a target. Returns the name of one that is working on it instead. */
export async function haltTarget(database: Database): Promise<StartLock | { readonly worker: string }> {
  if (database.engine === 'sqlite') return await lockFile(database)
  const lock = await lockStart(database)
  // A gateway may have started on the empty database without writing anything yet.
  return lock === undefined ? { worker: 'Another move' } : await unlessServed(lock, database)
}

async function lockFile({ file, kysely }: SqliteDatabase): Promise<StartLock | { readonly worker: string }> {
  const lock = await lockDatabase({
    file,
    holder: processInWords(new Date()),
    waitMs: 0,
    onWait: () => {},
    pause: () => Promise.resolve(),
  })
  if (!('release' in lock)) return { worker: lock.holder ?? 'another process' }
  return {
    // A gateway that writes to the file holds its lock.
    holdOffWriters: () => Promise.resolve(true),
    write: (values) => writeDatabaseMove(kysely, values),
    release: () => lock.release(),
  }
}

/** After a crash, some charges exist only as the progress of holds. Settles them as the next start would. */
async function settleWhatIsLeft(config: Config, database: Database): Promise<void> {
  const ledger = await openHaltedLedger(config, database, {
    replica: replicaName(newRequestId()),
    now: Date.now,
    remindBelow: () => mqFromQuota(0),
    log: createLog(config.logLevel),
    onDead: () => {},
    onCharged: () => {},
  })
  await ledger.close()
}

async function haltServer(database: PostgresDatabase): Promise<StartLock | { readonly worker: string }> {
  const lock = await lockStart(database)
  if (lock === undefined) throw new StartProblem('Another process is moving the data of this database.')
  return await unlessServed(lock, database)
}

async function unlessServed(
  lock: StartLock,
  { kysely }: PostgresDatabase,
): Promise<StartLock | { readonly worker: string }> {
  const [replica] = await findReplicas(kysely)
  if (replica === undefined) return lock
  await lock.release()
  return { worker: `The gateway ${replica}` }
}
