import { openSchedule } from './schedule.ts'

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
  /** Milliseconds that only increase. */
  readonly steady: () => number
  readonly every: (ms: number, task: () => void) => () => void
  /** Called when the correction changes; `aheadMs` is this clock's lead over the database's (negative: behind). */
  readonly onDiffers: (aheadMs: number) => void
  readonly onError: (error: unknown) => void
}

const LOOK_MS = 10_000
/** Synchronised clocks differ by less, and a reading that took longer is less exact than this machine's clock. */
const TOLERATED_MS = 2_000
/** Readings differ by the round trip. */
const NOISE_MS = 500

/**
 * This machine's clock, corrected by the database's if they differ by more than two seconds. Replicas read each other's times (of a
 * session, a code, a lease, a token's expiry): with clocks an hour apart, a code would expire before it is mailed, and a token
 * would expire an hour later on one of them. Reads the database's clock before it resolves; while that fails, the last difference
 * applies.
 */
export async function openDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { read, own, steady, every, onDiffers, onError } = options
  let ahead = 0

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
  const schedule = openSchedule({ every, ms: LOOK_MS, look: compare, onError })
  await schedule.look()
  return { now: () => own() - ahead, close: () => void schedule.close() }
}
