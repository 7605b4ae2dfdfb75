import { createJob, type JobDeps } from '@sluice/coordination/job'
import { openSchedule, type Schedule } from '@sluice/coordination/schedule'
import { BACKUP_JOB, type BackupRuns, readBackupRuns } from '@sluice/store/queries/backup-runs'
import { insertJobRun, type JobEnd, writeJobProgress } from '@sluice/store/queries/job-runs'
import type { Notify } from '../messages/mail.ts'
import type { Log } from '../process/logger.ts'

/** The result of one backup: a text for the log, or a sentence about the failure. */
export type BackupOutcome = { readonly made: string } | { readonly problem: string }

export interface BackupScheduleDeps extends JobDeps {
  readonly place: string
  readonly everyMs: number
  /** Makes a backup; ends early when the signal aborts. Never rejects. */
  readonly make: (signal: AbortSignal) => Promise<BackupOutcome>
  readonly notify: Notify
  readonly log: Pick<Log, 'info' | 'error'>
}

/** `looked` also waits for a due backup; `close` stops it. */
export type BackupSchedule = Pick<Schedule, 'looked' | 'close'>

const LOOK_MS = 300_000
const LEASE_MS = 60_000
/** Pause after a failure, unless backups are made more often anyway. */
const RETRY_MS = 3_600_000
/**
 * Pause after a backup that was stopped or killed with its gateway. Otherwise, if the backup itself brings the gateway down,
 * because memory runs out, the gateway would never do anything else.
 */
const RESUME_MS = 300_000
/** Operators are reminded of failing backups at most this often. */
const REMIND_MS = 86_400_000

/** Notifies operators of the first failure, and once a day if no backup has succeeded for twice the interval. */
export function openBackupSchedule(deps: BackupScheduleDeps): BackupSchedule {
  const { database, place, everyMs, now, timers, log } = deps
  const db = database.kysely
  const closing = new AbortController()
  const leased = createJob(deps, BACKUP_JOB, LEASE_MS)
  let reminded = 0

  const isDue = ({ latest, succeeded, failed }: BackupRuns): boolean =>
    succeeded <= now() - everyMs && failed <= now() - Math.min(RETRY_MS, everyMs) && latest <= now() - RESUME_MS

  const run = async (epoch: number, before: BackupRuns, signal: AbortSignal): Promise<void> => {
    const job = { job: BACKUP_JOB, epoch }
    const id = await insertJobRun(db, job, { scope: place, startedBy: 0, begun: now() })
    const outcome = await deps.make(signal)
    const end: JobEnd = 'made' in outcome ? 'done' : signal.aborted ? 'stopped' : 'failed'
    const failures = 'problem' in outcome ? [outcome.problem] : []
    const progress = { total: 1, done: 1, failed: failures.length, disabled: 0, enabled: 0 }
    await writeJobProgress(db, job, {
      id,
      progress: { ...progress, failures: JSON.stringify(failures) },
      end: { outcome: end, at: now() },
    })
    if ('made' in outcome) return log.info({ place, made: outcome.made }, 'a backup was made')
    if (end === 'stopped') return log.info({ place }, 'a backup was stopped')
    log.error({ place, problem: outcome.problem }, 'a backup failed')
    await tell(before, outcome.problem)
  }

  const tell = async ({ first, succeeded, isFailing }: BackupRuns, problem: string): Promise<void> => {
    const isOverdue = (succeeded === 0 ? first || now() : succeeded) <= now() - 2 * everyMs
    if (isFailing && !(isOverdue && reminded <= now() - REMIND_MS)) return
    reminded = now()
    const latest = succeeded === 0 ? '' : new Date(succeeded).toISOString()
    await deps.notify({ kind: 'backup_failed', place, problem, latest })
  }

  const look = async (): Promise<void> => {
    if (!isDue(await readBackupRuns(db, place, now()))) return
    const due = await leased.begin(async (held) => {
      const runs = await readBackupRuns(db, place, now())
      return isDue(runs) && !closing.signal.aborted ? { held, runs } : undefined
    })
    if (due === undefined || due === 'busy') return
    const { held, runs } = due
    await held.work({ closing: closing.signal, work: (signal) => run(held.epoch, runs, signal) })
  }

  const schedule = openSchedule({
    every: (ms, task) => timers.every(ms, task),
    ms: LOOK_MS,
    look,
    onError: (error) => log.error({ error }, 'a scheduled backup could not be started'),
  })
  void schedule.look()
  return {
    looked: schedule.looked,
    close: async () => {
      closing.abort()
      await schedule.close()
    },
  }
}
