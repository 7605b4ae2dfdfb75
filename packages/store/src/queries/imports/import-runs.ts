import type { Kysely } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import type { Schema } from '../../schema/schema.ts'

/** The lease under which one process at a time imports. */
export const IMPORT_JOB = 'import'

const KEPT = 50

export interface NewImportRun {
  readonly epoch: number
  /** Empty until the family is recognised. */
  readonly source: string
  readonly label: string
  readonly mode: string
  /** A user id; 0 for the command line. */
  readonly startedBy: number
  /** Unix milliseconds. */
  readonly begun: number
}

export interface ImportProgress {
  readonly source: string
  readonly family: string
  readonly stage: string
  readonly done: number
  readonly total: number
  /** JSON; empty before there is a report. */
  readonly report: string
}

export interface ImportRunRow extends ImportProgress {
  readonly id: number
  readonly label: string
  readonly mode: string
  readonly startedBy: number
  readonly startedByName: string
  readonly outcome: string
  readonly isStopping: boolean
  /** Unix milliseconds. */
  readonly begun: number
  /** 0 while it runs, or when its process died. */
  readonly ended: number
}

/** Records the start of a run, marks earlier unfinished runs as stopped, and removes the oldest. */
export async function insertImportRun(
  db: Kysely<Schema>,
  { epoch, source, label, mode, startedBy, begun }: NewImportRun,
): Promise<number> {
  await db
    .updateTable('import_run')
    .set({ outcome: 'stopped', ended_ms: begun })
    .where('outcome', '=', 'running')
    .where('epoch', '<', epoch)
    .execute()
  const { id } = await db
    .insertInto('import_run')
    .values({ source, label, family: '', mode, epoch, started_by: startedBy, begun_ms: begun, outcome: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const oldest = db
    .selectFrom('import_run')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(KEPT - 1)
  await db.deleteFrom('import_run').where('id', '<', oldest).execute()
  return id
}

/**
 * Records the progress of a run, or its end if `end` is given. Returns whether it has been asked to stop, or `lost` if the run no
 * longer belongs to this process.
 */
export async function writeImportProgress(
  db: Kysely<Schema>,
  run: { readonly id: number; readonly epoch: number },
  progress: ImportProgress,
  end?: { readonly outcome: string; readonly at: number },
): Promise<'go_on' | 'stop' | 'lost'> {
  const row = await db
    .updateTable('import_run')
    .set({ ...progress, ...(end === undefined ? {} : { outcome: end.outcome, ended_ms: end.at }) })
    .where('id', '=', run.id)
    .where('outcome', '=', 'running')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('lease')
          .select('lease.epoch')
          .where('lease.job', '=', IMPORT_JOB)
          .where('lease.epoch', '=', run.epoch),
      ),
    )
    .returning('stop_asked')
    .executeTakeFirst()
  if (row === undefined) return 'lost'
  return row.stop_asked === 1 ? 'stop' : 'go_on'
}

/** Asks the current run to stop, whichever process it is in. */
export async function askImportToStop(db: Kysely<Schema>): Promise<void> {
  await db.updateTable('import_run').set({ stop_asked: 1 }).where('outcome', '=', 'running').execute()
}

/** The latest run; undefined before the first. `now` is unix milliseconds. */
export async function findLatestImportRun(db: Kysely<Schema>, now: number): Promise<ImportRunRow | undefined> {
  const row = await db
    .selectFrom('import_run')
    .leftJoin('user', 'user.id', 'import_run.started_by')
    .leftJoin('lease', (join) =>
      join
        .on('lease.job', '=', IMPORT_JOB)
        .onRef('lease.epoch', '=', 'import_run.epoch')
        .on('lease.until_ms', '>', now)
        .on('lease.until_ms', '<=', now + CLOCKS_DIFFER_MS),
    )
    .select(['import_run.id', 'source', 'label', 'family', 'mode', 'outcome', 'stage', 'done', 'total', 'report'])
    .select(['started_by as startedBy', 'begun_ms as begun', 'ended_ms as ended', 'stop_asked as stopAsked'])
    .select(['user.username', 'lease.epoch as held'])
    .orderBy('import_run.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { username, held, stopAsked, outcome, ...rest } = row
  return {
    ...rest,
    startedByName: username ?? '',
    isStopping: stopAsked === 1,
    outcome: outcome === 'running' && held === null ? 'stopped' : outcome,
  }
}
