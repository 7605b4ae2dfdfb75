import { type Leave, LiveSet } from '../../process/live-set.ts'

export interface Beating {
  /** `now` is the pulse's time. Must not throw. */
  beat(now: number): void
}

/** One timer for all answers in progress, so that no chunk or request sets one. It stops after a beat without members. */
export interface Pulse {
  /** Milliseconds that only increase, so that a clock change neither ends nor extends a wait. */
  readonly now: () => number
  add(member: Beating): Leave
}

export function createPulse(intervalMs: number, now: () => number): Pulse {
  const members = new LiveSet<Beating>()
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
