import type { Kysely } from 'kysely'
import { CLOCKS_DIFFER_MS } from '../clocks.ts'
import type { Schema } from '../schema/schema.ts'

export type JobEnd = 'done' | 'failed' | 'stopped'

export interface JobProgress {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly disabled: number
  readonly enabled: number
  /** JSON list. */
  readonly failures: string
}

/** The latest run of a job. Times are unix milliseconds. */
export interface JobRunRow extends JobProgress {
  readonly id: number
  readonly scope: string
  readonly startedBy: number
  /** Empty for the schedule, and when the user is gone. */
  readonly startedByName: string
  /** `running` or a `JobEnd`. A run whose process died reads as `stopped`. */
  readonly outcome: string
  readonly isStopping: boolean
  readonly begun: number
  /** 0 while it runs, or when its process died. */
  readonly ended: number
}

/** The lease under which a run works: its job and fencing number. */
export interface JobLease {
  readonly job: string
  readonly epoch: number
}

/** How many runs of a job are kept, in addition to the latest of each scope, so that rare runs are not lost. */
const KEPT = 200

/** Records the start of a run, marks earlier unfinished runs as stopped, and removes older ones. */
export async function insertJobRun(
  db: Kysely<Schema>,
  { job, epoch }: JobLease,
  run: { readonly scope: string; readonly startedBy: number; readonly begun: number },
): Promise<number> {
  await db
    .updateTable('job_run')
    .set({ outcome: 'stopped', ended_ms: run.begun })
    .where('job', '=', job)
    .where('outcome', '=', 'running')
    .where('epoch', '<', epoch)
    .execute()
  const { id } = await db
    .insertInto('job_run')
    .values({ job, epoch, scope: run.scope, started_by: run.startedBy, begun_ms: run.begun, outcome: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const oldest = db
    .selectFrom('job_run')
    .select('id')
    .where('job', '=', job)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(KEPT - 1)
  const latest = db
    .selectFrom('job_run')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('job', '=', job)
    .groupBy('scope')
  await db.deleteFrom('job_run').where('job', '=', job).where('id', '<', oldest).where('id', 'not in', latest).execute()
  return id
}

/**
 * Records the progress of a run, or its end if `end` is given. Returns whether it has been asked to stop, or `lost` if the run no
 * longer belongs to this process because its lease has another owner; nothing was written then.
 */
export async function writeJobProgress(
  db: Kysely<Schema>,
  { job, epoch }: JobLease,
  {
    id,
    progress,
    end,
  }: {
    readonly id: number
    readonly progress: JobProgress
    readonly end?: { readonly outcome: JobEnd; readonly at: number } | undefined
  },
): Promise<'go_on' | 'stop' | 'lost'> {
  const row = await db
    .updateTable('job_run')
    .set({ ...progress, ...(end === undefined ? {} : { outcome: end.outcome, ended_ms: end.at }) })
    .where('id', '=', id)
    .where('outcome', '=', 'running')
    .where((eb) =>
      eb.exists(
        eb.selectFrom('lease').select('lease.epoch').where('lease.job', '=', job).where('lease.epoch', '=', epoch),
      ),
    )
    .returning('stop_asked')
    .executeTakeFirst()
  if (row === undefined) return 'lost'
  return row.stop_asked === 1 ? 'stop' : 'go_on'
}

/** Asks the current run to stop, whichever process it is in. */
export async function askJobToStop(db: Kysely<Schema>, job: string): Promise<void> {
  await db
    .updateTable('job_run')
    .set({ stop_asked: 1 })
    .where('job', '=', job)
    .where('outcome', '=', 'running')
    .execute()
}

/** The latest run; undefined before the first. `now` is unix milliseconds. */
export async function findLatestJobRun(db: Kysely<Schema>, job: string, now: number): Promise<JobRunRow | undefined> {
  const row = await db
    .selectFrom('job_run')
    .leftJoin('user', 'user.id', 'job_run.started_by')
    .leftJoin('lease', (join) =>
      join
        .onRef('lease.job', '=', 'job_run.job')
        .onRef('lease.epoch', '=', 'job_run.epoch')
        .on('lease.until_ms', '>', now)
        .on('lease.until_ms', '<=', now + CLOCKS_DIFFER_MS),
    )
    .select(['job_run.id', 'scope', 'started_by as startedBy', 'user.username', 'outcome', 'stop_asked'])
    .select(['begun_ms as begun', 'ended_ms as ended', 'total', 'done', 'failed', 'disabled', 'enabled', 'failures'])
    .select('lease.epoch as held')
    .where('job_run.job', '=', job)
    .orderBy('job_run.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { username, stop_asked: stopAsked, held, outcome, ...rest } = row
  return {
    ...rest,
    startedByName: username ?? '',
    isStopping: stopAsked === 1,
    outcome: outcome === 'running' && held === null ? 'stopped' : outcome,
  }
}

/** When the latest run of a job began, by scope, in unix milliseconds. */
export async function latestJobBegins(
  db: Kysely<Schema>,
  job: string,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('job_run')
    .select(({ fn }) => ['scope', fn.max('begun_ms').as('begun')])
    .where('job', '=', job)
    .where('begun_ms', '<=', now + CLOCKS_DIFFER_MS)
    .groupBy('scope')
    .execute()
  return new Map(rows.map(({ scope, begun }) => [scope, begun]))
}
