import type { LogSearch } from './log-search.ts'

/** How far the default window reaches back and ahead, in hours. */
const WINDOW_HOURS = { back: 168, ahead: 1 } as const
const HOUR_S = 3_600

/** In unix seconds. A side that the address leaves open comes from the default around `now` (unix ms). */
export function logWindow(search: Pick<LogSearch, 'start' | 'end'>, now: number): { start: number; end: number } {
  const nowSeconds = Math.floor(now / 1_000)
  return {
    start: search.start ?? nowSeconds - WINDOW_HOURS.back * HOUR_S,
    end: search.end ?? nowSeconds + WINDOW_HOURS.ahead * HOUR_S,
  }
}

/** Clearing deletes logs before `end` (unix seconds): now without a chosen end, because the default window ends later. */
export function clearingEnd({ end }: Pick<LogSearch, 'end'>, now: number): { end: number; isNow: boolean } {
  const nowSeconds = Math.floor(now / 1_000)
  return end === undefined || end >= nowSeconds ? { end: nowSeconds, isNow: true } : { end, isNow: false }
}

export type LogFilters = Pick<
  LogSearch,
  'type' | 'model' | 'token' | 'username' | 'channel' | 'session' | 'start' | 'end'
>

/** For the list and stat calls. Leaves out user and channel for callers without `logs.all`. */
export function filterQueryOf(filters: LogFilters, seesAll: boolean, now: number) {
  const { start, end } = logWindow(filters, now)
  return {
    type: String(filters.type),
    model_name: filters.model,
    token_name: filters.token,
    username: seesAll ? filters.username : '',
    channel: seesAll && filters.channel !== undefined ? String(filters.channel) : ('' as const),
    ...(filters.session !== '' && { session: filters.session }),
    start_timestamp: String(start),
    end_timestamp: String(end),
  }
}
