import type { ChannelMinutes } from '@sluice/store/queries/channel-minutes'

/** Minutes whose calls are looked at, the present one included. */
export const WINDOW_MINUTES = 15
/** Fewer are chance. No more are asked for, as a lane that fails is left alone but for a try now and then. */
const CALLS_MIN = 10
/** Minutes with a failure: one bad minute, however bad, is what rests and retries are for. */
const BAD_MINUTES_MIN = 3
/** The same while nearly all that is known comes from one user. */
const BAD_MINUTES_OF_ONE = 5
/** Calls of others that are enough to tell a user's own trouble from the channel's. */
const OTHERS_MIN = 10

/**
 * Why a channel is to be switched off by the calls of its last minutes: more than `threshold` percent of them failed. The
 * same must hold without the user who met most of the failures, so that nobody's requests alone switch a channel off for the
 * others. Where there are no others, it takes more minutes. Undefined when it may stay.
 */
export function verdictOfCalls(calls: ChannelMinutes, threshold: number): string | undefined {
  if (calls.calls < CALLS_MIN || !isOver(calls.failed, calls.calls, threshold)) return undefined
  const others = calls.calls - calls.mostOfOneUser
  const isAlone = calls.isOneCaller || others < OTHERS_MIN
  const isOften = calls.badMinutes >= (isAlone ? BAD_MINUTES_OF_ONE : BAD_MINUTES_MIN)
  const isShared = isAlone || isOver(calls.failed - calls.mostOfOneUser, others, threshold)
  if (!isOften || !isShared) return undefined
  return `${calls.failed} of ${calls.calls} calls failed within ${WINDOW_MINUTES} minutes`
}

function isOver(failed: number, calls: number, threshold: number): boolean {
  return failed * 100 > calls * threshold
}
