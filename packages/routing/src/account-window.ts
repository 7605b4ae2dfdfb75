/** How much of what a provider lets one account do in a window of time is used, by the provider's own word. */
export interface AccountWindow {
  /** One of a fixed list, such as `requests` or `5h`. */
  readonly name: string
  /** 0 to 1. */
  readonly used: number
  /** Unix milliseconds. */
  readonly resetsAt: number
}

/** Windows that are kept for a lane. */
export const WINDOWS_MAX = 8

/** When a used-up window is reset, in unix milliseconds: the latest of them; undefined where none is used up. */
export function usedUpUntil(windows: readonly AccountWindow[], now: number): number | undefined {
  let latest = now
  for (const { used, resetsAt } of windows) if (used >= 1 && resetsAt > latest) latest = resetsAt
  return latest > now ? latest : undefined
}
