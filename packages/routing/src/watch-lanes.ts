import type { BegunCall, CallCause, Health, Standing } from './health.ts'
import { createHealth } from './lane-health.ts'

const START = 1_800_000_000_000
export const LANE = { channel: 1, key: 'a1', model: 'm' }
export const OTHER_MODEL = { ...LANE, model: 'n' }
export const OTHER_KEY = { ...LANE, key: 'b2' }

/** Lane health for tests: deterministic unless `random` is given, at a time that the test sets. */
export function watchLanes(random = 0) {
  const health = createHealth({ capacity: 100, random: () => random })
  const world = {
    health,
    now: START,
    begin: (lane = LANE): BegunCall => health.begin(lane, world.now),
    call: (cause: CallCause, lane = LANE, retryAfterMs?: number) =>
      world.begin(lane).end(cause, world.now, retryAfterMs),
    calls: (count: number, cause: CallCause, lane = LANE) => {
      for (let n = 0; n < count; n++) world.call(cause, lane)
    },
    standing: (lane = LANE): Standing => health.standing(lane, world.now),
    /** Goes to the end of the lane's cooldown. */
    outlast: (lane = LANE) => {
      const standing = world.standing(lane)
      if (standing.kind !== 'resting') throw new Error(`${standing.kind}, not resting`)
      world.now = standing.until
    },
  }
  return world
}

/** The cause of the cooldown and its remaining milliseconds, or another standing. */
export const cooldownOf = (health: Health, now: number, lane = LANE) => {
  const standing = health.standing(lane, now)
  return standing.kind === 'resting' ? { cause: standing.cause, ms: standing.until - now } : standing.kind
}
