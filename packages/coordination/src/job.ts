import { type Lease, type LeaseOptions, takeLease } from './lease.ts'

/** How often progress is written and a stop request is checked for. */
const WRITE_MS = 1_000

export interface JobDeps extends Pick<LeaseOptions, 'database' | 'now'> {
  /** Name of this process, shown in the lease table. */
  readonly replica: string
  readonly timers: { readonly every: LeaseOptions['every'] }
}

/** A run that holds the lease of its job. */
export interface JobRun {
  /** Fencing number of the lease, to be stored with everything that the run writes. */
  readonly epoch: number
  readonly isStopping: () => boolean
  /** Does the work and always releases the lease. */
  work<Result>(steps: JobSteps<Result>): Promise<Result>
}

export interface JobSteps<Result> {
  readonly closing: AbortSignal
  /** `signal` aborts when the process is about to end, the lease is lost, or a stop was requested. */
  readonly work: (signal: AbortSignal) => Promise<Result>
  /** Stores progress, every second during the work. Any result other than `go_on` stops the run. */
  readonly write?: () => Promise<string>
  /** Stores the end, before the lease is released; `result` is undefined when the work threw. */
  readonly end?: (signal: AbortSignal, result: Result | undefined) => Promise<void>
}

/** Work that runs at most once at a time, across all replicas. */
export interface Job {
  /**
   * Takes the lease, and lets `begin` store that a run has begun; `busy` while one is in progress anywhere. The lease is released
   * when `begin` throws, or returns undefined because there is nothing to do after all.
   */
  begin<Begun>(begin: (run: JobRun) => Promise<Begun>): Promise<Begun | 'busy'>
  /** Stops this process's run before it learns of the request from the database. */
  stop(): void
}

/** `lifeMs`: after this time, another run can follow one whose process died. */
export function createJob(deps: JobDeps, job: string, lifeMs: number): Job {
  const { database, now, replica, timers } = deps
  let own: AbortController | undefined

  const runUnder = (lease: Lease): JobRun => {
    const stop = new AbortController()
    return {
      epoch: lease.epoch,
      isStopping: () => stop.signal.aborted,
      work: async ({ closing, work, write, end }) => {
        own = stop
        const ending = AbortSignal.any([closing, lease.signal])
        const abort = (): void => stop.abort()
        ending.addEventListener('abort', abort)
        if (ending.aborted) abort()
        const progress = async (): Promise<void> => {
          if ((await write?.()) !== 'go_on') abort()
        }
        // The next write makes up for one that failed.
        const stopWriting = write && timers.every(WRITE_MS, () => void progress().catch(() => {}))
        let result: Awaited<ReturnType<typeof work>> | undefined
        try {
          result = await work(stop.signal)
          return result
        } finally {
          stopWriting?.()
          try {
            await end?.(stop.signal, result)
          } finally {
            ending.removeEventListener('abort', abort)
            await lease.release()
            own = undefined
          }
        }
      },
    }
  }

  return {
    begin: async (begin) => {
      const every = (ms: number, task: () => void) => timers.every(ms, task)
      const lease = await takeLease({ database, job, owner: replica, lifeMs, now, every })
      if (lease === undefined) return 'busy'
      try {
        const begun = await begin(runUnder(lease))
        if (begun === undefined) await lease.release()
        return begun
      } catch (error) {
        await lease.release()
        throw error
      }
    },
    stop: () => own?.abort(),
  }
}
