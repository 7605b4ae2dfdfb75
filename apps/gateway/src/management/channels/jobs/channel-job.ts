import type { ChannelJob, JobFailure } from '@sluice/contract/channel'
import type { Refusal } from '@sluice/contract/errors'
import { createJob, type JobDeps, type JobRun } from '@sluice/coordination/job'
import {
  askJobToStop,
  findLatestJobRun,
  insertJobRun,
  type JobEnd,
  type JobProgress,
  latestJobBegins,
  writeJobProgress,
} from '@sluice/store/queries/job-runs'
import type { SharedPorts } from '../../ports.ts'
import { jobOnWire, NEVER } from './channel-job-wire.ts'

/** Channels handled at once: enough to finish soon, few enough to leave the relay its connections. */
const PARALLEL = 4
/** After this time, another run can follow one whose process died. */
const LEASE_MS = 30_000
/** Time limit for one channel, so that no run goes on forever. */
const STEP_MS = 60_000
const FAILURES_SHOWN = 50
const REASON_MAX = 300

export interface JobStep {
  readonly ok: boolean
  /** Empty on success. */
  readonly reason: string
  readonly became?: 'enabled' | 'disabled' | undefined
}

/** Id of the user who started a run; 0 for the schedule. */
export interface JobStarter {
  readonly id: number
  readonly username: string
}
export const SCHEDULE: JobStarter = { id: 0, username: '' }

export interface JobWork<Target> {
  readonly scope: string
  readonly startedBy: JobStarter
  /** Undefined when, under the lease, there is nothing to do; then nothing is stored. */
  readonly targets: () => Promise<readonly Target[] | undefined>
  readonly each: (target: Target, signal: AbortSignal) => Promise<JobStep>
  /** Called when all targets have been handled; not when the run was stopped earlier. */
  readonly ended?: (progress: Pick<JobProgress, 'done' | 'failed'>) => Promise<void>
}

/** Work on many channels that continues after the call that started it was answered. One run at a time across all replicas. */
export interface ChannelJobRunner {
  /** Starts a run and returns at once; refused while any replica is running one. */
  readonly start: <Target extends JobTarget>(work: JobWork<Target>) => Promise<Refusal | undefined>
  /** Asks the current run, on any replica, to stop; does nothing without a run. */
  readonly stop: () => Promise<void>
  readonly state: () => Promise<ChannelJob>
  /** Last start of a run, by scope, in unix milliseconds. */
  readonly begins: () => Promise<ReadonlyMap<string, number>>
}

export interface JobTarget {
  readonly id: number
  readonly name: string
}

export interface ChannelJobDeps
  extends Pick<SharedPorts, 'database' | 'inBackground' | 'now' | 'versions'>, Pick<JobDeps, 'replica' | 'timers'> {}

interface Run {
  readonly id: number
  readonly held: JobRun
  readonly startedBy: JobStarter
  readonly scope: string
  readonly begun: number
  progress: Omit<JobProgress, 'failures'>
  readonly failures: JobFailure[]
}

/** `job` names the lease; `what` names the work in the refusal of a second run. */
export function createChannelJob(
  deps: ChannelJobDeps,
  { job, what }: { readonly job: string; readonly what: string },
): ChannelJobRunner {
  const db = deps.database.kysely
  const leased = createJob(deps, job, LEASE_MS)
  /** The run of this process, known here earlier than in the database. */
  let own: Run | undefined

  const write = (run: Run, end?: { readonly outcome: JobEnd; readonly at: number }) => {
    const progress = { ...run.progress, failures: JSON.stringify(run.failures) }
    return writeJobProgress(db, { job, epoch: run.held.epoch }, { id: run.id, progress, end })
  }

  /** Stores the start of a run and performs it in the background; undefined when there is nothing to do. */
  const begin = async <Target extends JobTarget>(held: JobRun, wanted: JobWork<Target>): Promise<Run | undefined> => {
    const targets = await wanted.targets()
    if (targets === undefined) return undefined
    const { scope, startedBy, each, ended } = wanted
    const begun = deps.now()
    const id = await insertJobRun(db, { job, epoch: held.epoch }, { scope, startedBy: startedBy.id, begun })
    const progress = { total: targets.length, done: 0, failed: 0, disabled: 0, enabled: 0 }
    const run: Run = { id, held, startedBy, scope, begun, progress, failures: [] }
    own = run
    deps.inBackground(async (closing) => {
      try {
        await held.work({
          closing,
          work: (signal) => handleAll(run, targets, { each, versions: deps.versions, signal }),
          write: () => write(run),
          end: async (_, outcome = 'failed') => {
            await write(run, { outcome, at: deps.now() }).catch(() => {})
            if (outcome === 'done') await ended?.(run.progress)
          },
        })
      } finally {
        own = undefined
      }
    })
    return run
  }

  return {
    start: async (wanted) => {
      const begun = await leased.begin((run) => begin(run, wanted))
      return begun === 'busy' ? { code: 'job_running', params: { what } } : undefined
    },
    stop: async () => {
      await askJobToStop(db, job)
      leased.stop()
    },
    state: async () => {
      if (own !== undefined) return onWireNow(own)
      const row = await findLatestJobRun(db, job, deps.now())
      return row === undefined ? NEVER : jobOnWire(row)
    },
    begins: () => latestJobBegins(db, job, deps.now()),
  }
}

async function handleAll<Target extends JobTarget>(
  run: Run,
  targets: readonly Target[],
  {
    each,
    versions,
    signal,
  }: Pick<JobWork<Target>, 'each'> & Pick<ChannelJobDeps, 'versions'> & { readonly signal: AbortSignal },
): Promise<JobEnd> {
  const queue = targets.values()
  const worker = async (): Promise<void> => {
    for (const target of queue) {
      if (signal.aborted) return
      const step = await each(target, AbortSignal.any([signal, AbortSignal.timeout(STEP_MS)]))
      if (!signal.aborted) count(run, target, step)
      // Makes this process apply the change at once; if this check fails, the next one catches up.
      if (step.became !== undefined) await versions.check().catch(() => {})
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: PARALLEL }, worker))
  const failure = workers.find((outcome) => outcome.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return signal.aborted ? 'stopped' : 'done'
}

function count(run: Run, { id, name }: JobTarget, { ok, reason, became }: JobStep): void {
  const { done, failed, disabled, enabled, total } = run.progress
  run.progress = {
    total,
    done: done + 1,
    failed: failed + Number(!ok),
    disabled: disabled + Number(became === 'disabled'),
    enabled: enabled + Number(became === 'enabled'),
  }
  if (!ok && run.failures.length < FAILURES_SHOWN) {
    run.failures.push({ id, name, reason: reason.slice(0, REASON_MAX) })
  }
}

function onWireNow({ id, scope, startedBy, begun, held, progress, failures }: Run): ChannelJob {
  return jobOnWire({
    ...progress,
    id,
    scope,
    startedBy: startedBy.id,
    startedByName: startedBy.username,
    outcome: 'running',
    isStopping: held.isStopping(),
    begun,
    ended: 0,
    failures: JSON.stringify(failures),
  })
}
