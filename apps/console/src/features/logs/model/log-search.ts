import { LOG_TYPE } from '@sluice/contract/log'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries, textFromAddress } from '../../../lib/list/list-search.ts'

const LOG_TYPES = Object.values(LOG_TYPE)
const optionalSeconds = v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined))
const optionalId = v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined))
const text = v.optional(v.fallback(textFromAddress, ''), '')

/** The logs' part of the address. */
export const logSearch = v.object({
  ...listSearchEntries(),
  /** 0 for every type. */
  type: v.optional(v.fallback(v.picklist(LOG_TYPES), LOG_TYPE.all), LOG_TYPE.all),
  model: text,
  token: text,
  /** Means nothing without `logs.all`. */
  username: text,
  /** Channel id; means nothing without `logs.all`. */
  channel: optionalId,
  /** Unix seconds; the default window's when absent, which moves on with the clock. */
  start: optionalSeconds,
  end: optionalSeconds,
  /** Whether the total of the filters is shown. */
  stats: v.optional(v.fallback(v.boolean(), false), false),
  /** Row whose panel is open. */
  id: optionalId,
})
export type LogSearch = v.InferOutput<typeof logSearch>

/** Left out of the address. */
export const LOG_DEFAULTS = {
  ...LIST_DEFAULTS,
  type: LOG_TYPE.all,
  model: '',
  token: '',
  username: '',
  stats: false,
} as const

/** Hours that the default window reaches back and ahead. */
const WINDOW_HOURS = { back: 168, ahead: 1 } as const
const HOUR_S = 3_600

/** The window in unix seconds; a side that the address leaves open comes from the default around `now` (unix ms). */
export function logWindow(search: Pick<LogSearch, 'start' | 'end'>, now: number): { start: number; end: number } {
  const nowSeconds = Math.floor(now / 1_000)
  return {
    start: search.start ?? nowSeconds - WINDOW_HOURS.back * HOUR_S,
    end: search.end ?? nowSeconds + WINDOW_HOURS.ahead * HOUR_S,
  }
}

/** What decides which rows are listed. */
export type LogFilters = Pick<LogSearch, 'type' | 'model' | 'token' | 'username' | 'channel' | 'start' | 'end'>

/** The filters as the list and stat calls take them. User and channel are left out for callers without `logs.all`. */
export function filterQueryOf(filters: LogFilters, seesAll: boolean, now: number) {
  const { start, end } = logWindow(filters, now)
  return {
    type: String(filters.type),
    model_name: filters.model,
    token_name: filters.token,
    username: seesAll ? filters.username : '',
    channel: seesAll && filters.channel !== undefined ? String(filters.channel) : ('' as const),
    start_timestamp: String(start),
    end_timestamp: String(end),
  }
}
