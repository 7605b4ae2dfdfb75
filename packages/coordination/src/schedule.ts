export interface ScheduleOptions {
  readonly every: (ms: number, task: () => void) => () => void
  readonly ms: number
  readonly look: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** A check that is repeated at an interval, never twice at a time. */
export interface Schedule {
  /** Checks now, or waits for the check in progress. Never rejects. */
  readonly look: () => Promise<void>
  /** Waits for the check in progress, if any. */
  readonly looked: () => Promise<void>
  readonly close: () => Promise<void>
}

export function openSchedule({ every, ms, look, onError }: ScheduleOptions): Schedule {
  let looking: Promise<void> | undefined
  const start = (): Promise<void> => {
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  const stop = every(ms, () => void start())
  return {
    look: start,
    looked: async () => await looking,
    close: async () => {
      stop()
      await looking
    },
  }
}
