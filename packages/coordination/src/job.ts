import { type Lease, type LeaseOptions, takeLease } from './lease.ts'

/** How often progress is written and a request to stop is checked for. */
const WRITE_MS = 1_000

export interface JobDeps extends Pick<LeaseOptions, 'database' | 'now'> {
  /** Name of this process, for people who look into the lease table. */
  readonly replica: string
  readonly timers: { readonly every: LeaseOptions['every'] }
}

/** A run that holds the lease of its job. */
export interface JobRun {
  /** Fencing number of the lease, to be stored with everything that the run writes. */
  readonly epoch: number
  /** Whether the work has been told to end. */
  readonly isStopping: () => boolean
  /** Does the work and releases the lease, whatever happens. */
  work<Result>(steps: JobSteps<Result>): Promise<Result>
}

export interface JobSteps<Result> {
  /** Aborts when the process is to end. */
  readonly closing: AbortSignal
  /** The signal aborts when the process is to end, the lease is lost, or somebody has asked the run to stop. */
  readonly work: (signal: AbortSignal) => Promise<Result>
  /** Stores the progress, every second while the work goes on. Returns anything but `go_on` when the run is to stop. */
  readonly write?: () => Promise<string>
  /** Stores the end, before the lease is released; `result` is undefined when the work threw. */
  readonly end?: (signal: AbortSignal, result: Result | undefined) => Promise<void>
}

/** Work of which only one run at a time is in progress, in any replica. */
export interface Job {
  /**
   * Takes the lease, and stores with `begin` that a run has begun; `busy` while one is in progress anywhere. The lease is released
   * when `begin` throws, or returns undefined because, under the lease, there turns out to be nothing to do.
   */
  begin<Begun>(begin: (run: JobRun) => Promise<Begun>): Promise<Begun | 'busy'>
  /** Stops this process's run sooner than it would learn of a request to stop from the database. */
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
