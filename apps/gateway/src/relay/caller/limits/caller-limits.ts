import { createMemoryLimits, type Limits } from '@sluice/coordination/limits'

export interface CallerLimits {
  /** Rates of tokens and users, for all replicas together. */
  readonly limits: Limits
  /** Each replica enforces its share: a flood must cost only the process that receives it. */
  readonly addressLimits: Limits
  /** Each replica enforces its share: a channel's limit is checked mid-request, too late to ask other replicas. */
  readonly channelLimits: Limits
  readonly openCalls: OpenCalls
}

/** Maximum keys tracked at the same time: addresses, and tokens of channels with a limit. */
const LIMITED_KEYS = 100_000

/** `shareOf`: this process's share of each limit, such as 1/3 with three processes. `now` in unix milliseconds. */
export function createCallerLimits(limits: Limits, shareOf: () => number, now: () => number): CallerLimits {
  const own = { capacity: LIMITED_KEYS, now, shareOf }
  return {
    limits,
    addressLimits: createMemoryLimits(own),
    channelLimits: createMemoryLimits(own),
    openCalls: createOpenCalls(shareOf),
  }
}

/** How many requests each limited caller has open; callers without a limit are not counted. */
export interface OpenCalls {
  /** False if that many requests are already open; otherwise the slot must be released. */
  take(key: string, limit: number): boolean | Promise<boolean>
  giveBack(key: string): void
}

/** Counts only in this process, which enforces its share of each limit, but allows at least one. `shareOf`: above 0, at most 1. */
export function createOpenCalls(shareOf: () => number): OpenCalls {
  const open = new Map<string, number>()
  return {
    take: (key, limit) => {
      const count = open.get(key) ?? 0
      if (count >= Math.max(1, Math.ceil(limit * shareOf()))) return false
      open.set(key, count + 1)
      return true
    },
    giveBack: (key) => {
      const count = open.get(key) ?? 0
      if (count <= 1) open.delete(key)
      else open.set(key, count - 1)
    },
  }
}
