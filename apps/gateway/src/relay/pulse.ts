/** Something that wants to be looked at from time to time. */
export interface Beating {
  /** `now` in unix milliseconds. Must not throw. */
  beat(now: number): void
}

/**
 * One timer for all streams: silences, stalls, renewals and extensions are checked once per beat, so that no chunk sets
 * a timer or reads a clock. It runs only while somebody is on it.
 */
export interface Pulse {
  add(member: Beating): void
  delete(member: Beating): void
}

export function createPulse(intervalMs: number, now: () => number): Pulse {
  const members = new Set<Beating>()
  let timer: NodeJS.Timeout | undefined
  const beat = () => {
    const time = now()
    for (const member of members) member.beat(time)
  }
  return {
    add: (member) => {
      members.add(member)
      timer ??= setInterval(beat, intervalMs)
    },
    delete: (member) => {
      members.delete(member)
      if (members.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
