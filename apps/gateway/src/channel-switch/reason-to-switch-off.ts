import type { ChannelMinutes } from '@sluice/store/queries/channels/channel-minutes'

/** Minutes whose calls are examined, including the current one. */
export const WINDOW_MINUTES = 15
/** Fewer calls could be chance. More are not required, because a failing lane is left alone except for an occasional try. */
const CALLS_MIN = 10
/** Minutes with a failure: cooldowns and retries deal with a single bad minute. */
const BAD_MINUTES_MIN = 3
/** The same when nearly all calls come from one user. */
const BAD_MINUTES_OF_ONE = 5
/** Calls of other users needed to tell one user's trouble from the channel's. */
const OTHERS_MIN = 10

/**
 * The reason to switch a channel off: more than `threshold` percent of the calls of its last minutes failed. The same must hold
 * without the user who had the most failures, so that no single user's requests switch a channel off for the others. Without calls
 * of others, it takes more minutes. Undefined when the channel can stay on.
 */
export function reasonToSwitchOff(calls: ChannelMinutes, threshold: number): string | undefined {
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
