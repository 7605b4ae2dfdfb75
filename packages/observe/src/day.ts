const DAY_MS = 86_400_000

/** Days from 1970-01-01 to the UTC day that contains this moment. */
export function dayOf(unixMs: number): number {
  return Math.floor(unixMs / DAY_MS)
}

/** `YYYY-MM-DD` of a day since 1970-01-01 UTC. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Days since 1970-01-01 of a `YYYY-MM-DD`; undefined if it is not a date. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayText(at / DAY_MS) !== text ? undefined : at / DAY_MS
}
