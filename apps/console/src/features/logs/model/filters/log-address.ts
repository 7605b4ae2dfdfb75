import { LOG_DEFAULTS, type LogSearch } from './log-search.ts'
import type { LogFilters } from './log-window.ts'

/** The part of the address that a saved view keeps: not the page of the list, nor what was open. */
export function viewSearchOf(search: LogSearch): Record<string, string | number | boolean> {
  const { p: _page, id: _panel, live: _live, ...kept } = search
  const defaults: Readonly<Record<string, unknown>> = LOG_DEFAULTS
  return Object.fromEntries(
    Object.entries(kept).flatMap(([key, value]) =>
      value === undefined || value === defaults[key] ? [] : [[key, value] as const],
    ),
  )
}

/** Whether the rows can be followed: newest first, from the first page on, with an open end, and without a keyword. */
export function canFollow(search: LogSearch): boolean {
  const { p, sort, order, keyword, end } = search
  const byTime = sort === '' || (order === 'desc' && (sort === 'created_at' || sort === 'id'))
  return p === 0 && byTime && keyword === '' && end === undefined
}

/** What must change so that rows can be followed. */
export const FOLLOWING = { p: 0, sort: '', order: 'desc', keyword: '', end: undefined, live: true } as const

/** The part of the address that decides which rows are listed. */
export function filtersIn({ type, model, token, username, channel, session, start, end }: LogSearch): LogFilters {
  return { type, model, token, username, channel, session, start, end }
}
