export interface ScheduleOptions {
  /** Calls a task at this interval in ms, and returns a function that stops it. */
  readonly every: (ms: number, task: () => void) => () => void
  readonly ms: number
  readonly look: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Something that is looked at again and again, by one look at a time. */
export interface Schedule {
  /** Looks now, or waits for the look that is under way. Never rejects. */
  readonly look: () => Promise<void>
  /** Waits for the look that is under way, if there is one. */
  readonly looked: () => Promise<void>
  /** Looks no more, and waits for the look that is under way. */
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
