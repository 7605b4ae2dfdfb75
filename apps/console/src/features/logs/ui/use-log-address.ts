import { useNavigate, useSearch } from '@tanstack/react-router'
import { canFollow, filtersIn } from '../model/filters/log-address.ts'
import { type LogSearch } from '../model/filters/log-search.ts'
import type { LogFilters } from '../model/filters/log-window.ts'

interface LogAddress {
  readonly search: LogSearch
  /** The same object until one of them changes: what depends on filters alone is not re-rendered by a change of sort or page. */
  readonly filters: LogFilters
  readonly live: boolean
  readonly change: Change
}

type Change = (part: Partial<LogSearch>, replace?: boolean) => void

/** The state of the page from its address. Rows are followed only as long as the address asks for nothing that rules it out. */
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
  return { search, filters, live: search.live && canFollow(search), change }
}
