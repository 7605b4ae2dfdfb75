import { useNavigate, useSearch } from '@tanstack/react-router'
import { type LogSearch, LOG_DEFAULTS } from '../model/filters/log-search.ts'
import type { LogFilters } from '../model/filters/log-window.ts'

interface LogAddress {
  readonly search: LogSearch
  /** The same object until a filter changes, so that a change of sort or page does not re-render what depends on filters alone. */
  readonly filters: LogFilters
  readonly live: boolean
  readonly change: Change
  readonly follow: () => void
}

type Change = (part: Partial<LogSearch>, replace?: boolean) => void

/** Rows are followed only as long as nothing in the address rules it out. */
export function useLogAddress(): LogAddress {
  const navigate = useNavigate({ from: '/logs' })
  const search = useSearch({ from: '/protected/logs' })
  const filters = useSearch({ from: '/protected/logs', select: filtersIn, structuralSharing: true })
  const change: Change = (part, replace = false) =>
    void navigate({
      search: (previous) => {
        const next = { ...previous, ...part }
        return { ...next, live: next.live && canFollow(next) }
      },
      replace,
      // A panel opens next to the row, which does not move.
      resetScroll: !('id' in part),
    })
  const live = search.live && canFollow(search)
  return { search, filters, live, change, follow: () => change(live ? { live: false } : FOLLOWING) }
}

/** The part of the address that a saved view keeps; excludes the page of the list and what is open. */
export function viewSearchOf(search: LogSearch): Record<string, string | number | boolean> {
  const { p: _page, id: _panel, live: _live, ...kept } = search
  const defaults: Readonly<Record<string, unknown>> = LOG_DEFAULTS
  return Object.fromEntries(
    Object.entries(kept).flatMap(([key, value]) =>
      value === undefined || value === defaults[key] ? [] : [[key, value] as const],
    ),
  )
}

/** Rows can be followed newest first, from the first page on, with an open end, and without a keyword. */
export function canFollow(search: LogSearch): boolean {
  const { p, sort, order, keyword, end } = search
  const byTime = sort === '' || (order === 'desc' && (sort === 'created_at' || sort === 'id'))
  return p === 0 && byTime && keyword === '' && end === undefined
}

export const FOLLOWING = { p: 0, sort: '', order: 'desc', keyword: '', end: undefined, live: true } as const

function filtersIn({ type, model, token, username, channel, session, start, end }: LogSearch): LogFilters {
  return { type, model, token, username, channel, session, start, end }
}
