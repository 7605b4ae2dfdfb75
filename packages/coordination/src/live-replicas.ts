import { openSchedule } from './schedule.ts'

export interface LiveReplicas {
  /** At least 1; at most ten seconds old. While the database is unreachable, the last known number. */
  readonly count: () => number
  close(): void
}

export interface LiveReplicasOptions {
  /** Counts replicas with a recent sign of life; see `countReplicas` of the store. */
  readonly read: () => Promise<number>
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

const LOOK_MS = 10_000

/** Counts before it resolves; while it cannot count, this process is assumed to be alone. */
export async function openReplicaWatch({ read, every, onError }: LiveReplicasOptions): Promise<LiveReplicas> {
  let count = 1
  const look = async (): Promise<void> => {
    count = Math.max(1, await read())
  }
  const schedule = openSchedule({ every, ms: LOOK_MS, look, onError })
  await schedule.look()
  return { count: () => count, close: () => void schedule.close() }
}
