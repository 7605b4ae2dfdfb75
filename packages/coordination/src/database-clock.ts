/** The time that all replicas of a database have in common. */
export interface DatabaseClock {
  /** Unix milliseconds. */
  readonly now: () => number
  close(): void
}

export interface DatabaseClockOptions {
  /** The database's clock, in unix milliseconds. */
  readonly read: () => Promise<number>
  /** This machine's clock, in unix milliseconds. */
  readonly own: () => number
  /** Milliseconds that only go on. */
  readonly steady: () => number
  /** Calls a task every so many ms, and answers how to stop. */
  readonly every: (ms: number, task: () => void) => () => void
  /** This machine's clock is so many ms ahead of the database's (behind when below 0), and is put right by that. Told when it changes. */
  readonly onDiffers: (aheadMs: number) => void
  readonly onError: (error: unknown) => void
}

const LOOK_MS = 10_000
/** Clocks that are kept right differ by less, and a look that took longer says less than this clock does. */
const TOLERATED_MS = 2_000
/** Looks differ by the way there and back. */
const NOISE_MS = 500

/**
 * This machine's clock, put right by the database's where they differ by more than two seconds. What one replica writes with a time
 * (a session, a code, a lease, the end of a token) another one reads: with clocks an hour apart a code would be over before it is
 * mailed, and a token end an hour later at one of them. Looks before it answers; while it cannot look, what it last saw holds.
 */
export async function openDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { read, own, steady, every, onDiffers, onError } = options
  let ahead = 0
  let looking: Promise<void> | undefined

  const compare = async (): Promise<void> => {
    const [began, before] = [steady(), own()]
    const theirs = await read()
    const took = steady() - began
    if (took > TOLERATED_MS) return
    const difference = Math.round(before + took / 2 - theirs)
    const next = Math.abs(difference) > TOLERATED_MS ? difference : 0
    if (Math.abs(next - ahead) <= NOISE_MS) return
    ahead = next
    onDiffers(ahead)
  }
  const look = (): Promise<void> => {
    looking ??= compare()
      .catch(onError)
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  await look()
  return { now: () => own() - ahead, close: every(LOOK_MS, () => void look()) }
}
