import type { Kysely } from 'kysely'
import { asNumber } from '../aggregates.ts'
import { CLOCKS_DIFFER_MS } from '../clocks.ts'
import type { PostgresDatabase } from '../database.ts'
import type { Schema } from '../schema/schema.ts'

/** Name of the lease and of the runs of scheduled backups. A run's scope is the place where it puts the backup. */
export const BACKUP_JOB = 'backup'

/** Backups at one place. Unix milliseconds; 0 for never. */
export interface BackupRuns {
  /** When the first and the latest run began. */
  readonly first: number
  readonly latest: number
  /** When the latest successful and the latest failed run began; a run that was stopped, or whose process died, is neither. */
  readonly succeeded: number
  readonly failed: number
  /** Whether the latest ended run failed. */
  readonly isFailing: boolean
}

/** Runs dated in the future by a wrong clock do not count. `now` is unix milliseconds. */
export async function readBackupRuns(db: Kysely<Schema>, place: string, now: number): Promise<BackupRuns> {
  const runs = db
    .selectFrom('job_run')
    .where('job', '=', BACKUP_JOB)
    .where('scope', '=', place)
    .where('begun_ms', '<=', now + CLOCKS_DIFFER_MS)
  const { first, latest } = await runs
    .select(({ fn }) => [fn.min('begun_ms').as('first'), fn.max('begun_ms').as('latest')])
    .executeTakeFirstOrThrow()
  const ended = runs.where('outcome', 'in', ['done', 'failed']).orderBy('id', 'desc').limit(1)
  const last = await ended.select('outcome').executeTakeFirst()
  const latestOf = async (outcome: 'done' | 'failed'): Promise<number> => {
    const found = await runs
      .where('outcome', '=', outcome)
      .select(({ fn }) => fn.max('begun_ms').as('begun'))
      .executeTakeFirstOrThrow()
    return asNumber(found.begun)
  }
  return {
    first: asNumber(first),
    latest: asNumber(latest),
    succeeded: await latestOf('done'),
    failed: await latestOf('failed'),
    isFailing: last?.outcome === 'failed',
  }
}

/** When the latest successful scheduled backup at any place began, in unix milliseconds. */
export async function findLastBackup(
  db: Kysely<Schema>,
  now: number,
): Promise<{ readonly place: string; readonly begun: number } | undefined> {
  return await db
    .selectFrom('job_run')
    .select(['scope as place', 'begun_ms as begun'])
    .where('job', '=', BACKUP_JOB)
    .where('outcome', '=', 'done')
    .where('begun_ms', '<=', now + CLOCKS_DIFFER_MS)
    .orderBy('begun_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** First key of the advisory lock, unique within the database; the second key tells schemas apart. */
const BACKUP_LOCK = 0x51b4

/**
 * Lets one process at a time back up a PostgreSQL database. Returns a function that releases the lock, which also ends with the
 * connection; undefined when another process has it. The lock belongs to a transaction, so that it works through a pooler that
 * assigns connections per transaction; no snapshot is open meanwhile.
 */
export async function lockBackups(database: PostgresDatabase): Promise<(() => Promise<void>) | undefined> {
  const client = database.openClient()
  try {
    await client.query({ text: 'begin' })
    await client.query({ text: 'set local idle_in_transaction_session_timeout = 0' })
    const { rows } = await client.query({
      text: `select pg_try_advisory_xact_lock(${BACKUP_LOCK}, hashtext(current_schema())) as taken`,
    })
    if (rows[0]?.['taken'] === true) return () => client.close()
  } catch (error) {
    await client.close()
    throw error
  }
  await client.close()
  return undefined
}
