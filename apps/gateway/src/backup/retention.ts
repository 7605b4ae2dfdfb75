/** For this many latest days, weeks and months with a backup, the newest one is kept. */
export type Retention = 'all' | { readonly days: number; readonly weeks: number; readonly months: number }

const DAY_MS = 86_400_000
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const MONDAY_OFFSET_DAYS = 3

/** Reads `7d 4w 6m` in any order, or `all`; undefined when the text is invalid, or would keep nothing. */
export function readRetention(text: string): Retention | undefined {
  if (text.trim() === 'all') return 'all'
  const counts = { d: 0, w: 0, m: 0 }
  for (const part of text.trim().split(/[\s,]+/)) {
    const match = /^(\d{1,4})([dwm])$/.exec(part)
    if (match === null) return undefined
    const [, count, unit] = match
    counts[unit as keyof typeof counts] = Number(count)
  }
  const total = counts.d + counts.w + counts.m
  return total === 0 ? undefined : { days: counts.d, weeks: counts.w, months: counts.m }
}

/**
 * The backups that may be deleted. Days, weeks and months without a backup do not count, so an installation that was off for a year
 * keeps as many as before. The newest backup is always kept. `made` is unix milliseconds; all periods are in UTC.
 */
export function superfluous<B extends { readonly made: number }>(
  backups: readonly B[],
  retention: Retention,
): readonly B[] {
  if (retention === 'all') return []
  const newestFirst = backups.toSorted((a, b) => b.made - a.made)
  const keep = new Set<B>(newestFirst.slice(0, 1))
  const periods = [
    [retention.days, dayOf],
    [retention.weeks, weekOf],
    [retention.months, monthOf],
  ] as const
  for (const [count, periodOf] of periods) {
    const seen = new Set<number>()
    for (const backup of newestFirst) {
      const period = periodOf(backup.made)
      if (seen.has(period)) continue
      if (seen.size === count) break
      seen.add(period)
      keep.add(backup)
    }
  }
  return newestFirst.filter((backup) => !keep.has(backup))
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS)
const weekOf = (at: number): number => Math.floor((dayOf(at) + MONDAY_OFFSET_DAYS) / 7)

function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
