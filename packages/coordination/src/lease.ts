import type { Database } from '@sluice/store/database'
import { claimLease, moveLease } from '@sluice/store/queries/leases'

/** The right to do a job that only one process at a time may do. */
export interface Lease {
  /**
   * Fencing number, higher than that of every previous owner. Write results together with it, on condition that the lease still has
   * this number, so that a process that slept past the end of its lease changes nothing.
   */
  readonly epoch: number
  /** Aborts when the lease is lost: another process might be at work. */
  readonly signal: AbortSignal
  /** Releases the job at once, so that others need not wait. Never rejects: if the database is unreachable, the lease expires. */
  release(): Promise<void>
}

export interface LeaseOptions {
  readonly database: Pick<Database, 'kysely'>
  readonly job: string
  /** Name of this process, shown in the table. */
  readonly owner: string
  /** A lease that is not renewed ends after this many ms; it is renewed three times as often. */
  readonly lifeMs: number
  /** Unix milliseconds. Clocks of replicas can differ: the fencing number, not the time, keeps results apart. */
  readonly now: () => number
  readonly every: (ms: number, task: () => void) => () => void
}

/** Takes a job's lease and renews it until it is released or lost. Undefined when another process has it. */
export async function takeLease(options: LeaseOptions): Promise<Lease | undefined> {
  const { database, job, owner, lifeMs, now } = options
  const db = database.kysely
  let until = now() + lifeMs
  const epoch = await claimLease(db, { job, owner, now: now(), until })
  if (epoch === undefined) return undefined

  const lost = new AbortController()
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    const next = now() + lifeMs
    try {
      if (await moveLease(db, job, epoch, next)) until = next
      else lost.abort()
    } catch {
      // The database is unreachable: the lease is valid until its end, and the next round tries again.
      if (now() >= until) lost.abort()
    }
  }
  const stop = options.every(lifeMs / 3, () => {
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
  })
  lost.signal.addEventListener('abort', stop)
  return {
    epoch,
    signal: lost.signal,
    release: async () => {
      stop()
      await renewing
      await moveLease(db, job, epoch, 0).catch(() => {})
    },
  }
}
