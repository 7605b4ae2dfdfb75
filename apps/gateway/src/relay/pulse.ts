import { type Leave, Roster } from '../roster.ts'

/** Something that wants to be looked at from time to time. */
export interface Beating {
  /** `now` is a time of the pulse. Must not throw. */
  beat(now: number): void
}

/**
 * One timer for all answers under way: silences, stalls, renewals and extensions are checked once per beat, so that no chunk
 * and no request sets a timer. It rests after a beat that found nobody.
 */
export interface Pulse {
  /** The time that members are told: milliseconds that only go on, so that a clock that is set neither ends nor stretches a wait. */
  readonly now: () => number
  add(member: Beating): Leave
}

/** `now` in milliseconds that only go on. */
export function createPulse(intervalMs: number, now: () => number): Pulse {
  const members = new Roster<Beating>()
  let timer: NodeJS.Timeout | undefined
  const beat = () => {
    if (members.size === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const time = now()
    members.forEach((member) => member.beat(time))
  }
  return {
    now,
    add: (member) => {
      timer ??= setInterval(beat, intervalMs).unref()
      return members.add(member)
    },
  }
}
