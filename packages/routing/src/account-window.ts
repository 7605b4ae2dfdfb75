/** An account's use of a time window's allowance, as reported by the provider. */
export interface AccountWindow {
  /** One of a fixed list, such as `requests` or `5h`. */
  readonly name: string
  /** 0 to 1. */
  readonly used: number
  /** Unix milliseconds. */
  readonly resetsAt: number
}

/** Windows kept for a lane. */
export const WINDOWS_MAX = 8

/** When the last of the used-up windows resets, in unix milliseconds; undefined if none is used up. */
export function usedUpUntil(windows: readonly AccountWindow[], now: number): number | undefined {
  let latest = now
  for (const { used, resetsAt } of windows) if (used >= 1 && resetsAt > latest) latest = resetsAt
  return latest > now ? latest : undefined
}
