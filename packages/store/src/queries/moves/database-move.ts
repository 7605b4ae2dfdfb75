import { type Kysely, type Selectable, sql } from 'kysely'
import { databaseTime } from '../../clocks.ts'
import type { Database, PostgresDatabase } from '../../database.ts'
import type { DatabaseMoveTable } from '../../schema/database-move.ts'
import type { Schema } from '../../schema/schema.ts'
import { lowerFence, raiseFence } from './write-fence.ts'

export type DatabaseMove = Readonly<Selectable<DatabaseMoveTable>>

export type MoveFields = Partial<Omit<DatabaseMove, 'id'>>

/** The identity of this database, and where its data came from or went. */
export async function readDatabaseMove(db: Kysely<Schema>): Promise<DatabaseMove> {
  return await db.selectFrom('database_move').selectAll().executeTakeFirstOrThrow()
}

export async function writeDatabaseMove(db: Kysely<Schema>, values: MoveFields): Promise<void> {
  await db.updateTable('database_move').set(values).execute()
}

/** Puts a database whose data has moved away back into use. */
export async function undoMove({ engine, kysely }: Database): Promise<void> {
  await kysely.transaction().execute(async (trx) => {
    await writeDatabaseMove(trx, { to_id: '', to_name: '', left_ms: 0 })
    if (engine === 'postgres') await lowerFence(trx)
  })
}

/** Keeps gateways from starting: on PostgreSQL as long as its connection lasts, on SQLite as long as this process lives. */
export interface StartLock {
  /**
   * Blocks writes to the tables that move: until the lock ends, or for good once it has recorded where the data went. False if
   * another writer does not finish; the caller must then release the lock.
   */
  holdOffWriters(): Promise<boolean>
  /** Stores these fields durably. Nothing is locked afterwards. */
  write(values: MoveFields): Promise<void>
  /** Closes the connection; call it once. */
  release(): Promise<void>
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Undefined when another process has the lock. It is a row lock of a transaction, not an advisory lock, so that it works through a
 * pooler that assigns connections per transaction. A starting gateway writes its heartbeat, then asks `isStartLocked`; a process
 * that takes the lock looks for heartbeats afterwards. So one of them sees the other.
 */
export async function lockStart(database: PostgresDatabase): Promise<StartLock | undefined> {
  const client = database.openClient()
  try {
    await client.query({ text: 'begin' })
    await client.query({ text: 'set local idle_in_transaction_session_timeout = 0' })
    await client.query({ text: 'select id from database_move for update nowait' })
  } catch (error) {
    await client.close()
    if (isLocked(error)) return undefined
    throw error
  }
  return {
    holdOffWriters: () => raiseFence(client),
    write: async (values) => {
      const fields = Object.entries(values)
      const assignments = fields.map(([name], at) => `${name} = $${at + 1}`)
      await client.query({
        text: `update database_move set ${assignments.join(', ')}`,
        values: fields.map(([, value]) => value),
      })
      await client.query({ text: 'commit' })
    },
    release: () => client.close(),
  }
}

/** True while a move of this database, or into it, holds its lock. A SQLite file is locked as a whole. */
export async function isStartLocked({ engine, kysely }: Pick<Database, 'engine' | 'kysely'>): Promise<boolean> {
  if (engine === 'sqlite') return false
  try {
    await sql`select id from database_move for share nowait`.execute(kysely)
    return false
  } catch (error) {
    if (isLocked(error)) return true
    throw error
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
}

/** A replica that is silent for longer is dead to the others. */
const SILENT_MS = 60_000

/**
 * Names of the processes that use a PostgreSQL database. Those that have been silent for a minute are declared dead, as another
 * replica would do; one that was only asleep exits when it wakes up.
 */
export async function findReplicas(db: Kysely<Schema>): Promise<readonly string[]> {
  const silentSince = sql<number>`${databaseTime('postgres')} - ${sql.lit(SILENT_MS)}`
  await db
    .updateTable('replica')
    .set({ dead: 1 })
    .where('dead', '=', 0)
    .where('heartbeat_ms', '<=', silentSince)
    .execute()
  const live = await db.selectFrom('replica').select('id').where('dead', '=', 0).orderBy('id').execute()
  return live.map(({ id }) => id)
}
