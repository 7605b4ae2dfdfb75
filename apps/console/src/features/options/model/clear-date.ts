/** Logs older than this are cleared unless another date is chosen, in hours. */
const KEPT_HOURS = 720

/** The date before which logs are cleared unless another is chosen: 720 hours (30 days) before now. Unix milliseconds. */
export function defaultClearDate(now: number): Date {
  return new Date(now - KEPT_HOURS * 3_600_000)
}

/** Unix seconds of a local date-time text; `undefined` when it is not one, or is in the future. */
export function clearTimestamp(text: string, now: number): number | undefined {
  const at = new Date(text).getTime()
  if (Number.isNaN(at) || at > now || at < 1_000) return undefined
  return Math.floor(at / 1_000)
}
