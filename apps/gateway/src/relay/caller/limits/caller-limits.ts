import { createMemoryLimits, type Limits } from '@sluice/coordination/limits'
import { createOpenCalls, type OpenCalls } from './open-calls.ts'

/** The limits on callers' requests. */
export interface CallerLimits {
  /** Rates of tokens and users, for all replicas together. */
  readonly limits: Limits
  /** Each replica enforces its share: a flood must cost only the process that receives it. */
  readonly addressLimits: Limits
  /** Each replica enforces its share: a channel's limit is checked mid-request, which is no time to ask other replicas. */
  readonly channelLimits: Limits
  readonly openCalls: OpenCalls
}

/** Tokens of channels with a limit, and addresses, at the same time. */
const LIMITED_KEYS = 100_000

/** `shareOf`: this process's share of each limit: 1 if alone, 1/3 among three. `now` in unix milliseconds. */
export function createCallerLimits(limits: Limits, shareOf: () => number, now: () => number): CallerLimits {
  const own = { capacity: LIMITED_KEYS, now, shareOf }
  return {
    limits,
    addressLimits: createMemoryLimits(own),
    channelLimits: createMemoryLimits(own),
    openCalls: createOpenCalls(shareOf),
  }
}
