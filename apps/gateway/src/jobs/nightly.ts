import type { LedgerCheckMode } from '@sluice/store/queries/ledger/ledger-checks'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Half a day short of a week, so that a late night does not move the next full check by a day. */
const FULL_EVERY_MS = 6.5 * DAY_MS

/**
 * Which check is due. One a night from `hour` (0 to 23, UTC) on, or later if no replica was running; once a week it counts
 * everything. `latest` holds when checks last began; all times are unix milliseconds.
 */
export function dueCheck(
  now: number,
  hour: number,
  latest: { readonly any: number; readonly full: number },
): LedgerCheckMode | undefined {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS
  const night = today <= now ? today : today - DAY_MS
  if (latest.any >= night) return undefined
  return latest.full <= night - FULL_EVERY_MS ? 'full' : 'incremental'
}
