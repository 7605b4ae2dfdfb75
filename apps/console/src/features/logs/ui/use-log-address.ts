import { useNavigate, useSearch } from '@tanstack/react-router'
import { canFollow, filtersIn } from '../model/log-address.ts'
import type { LogSearch } from '../model/log-search.ts'
import type { LogFilters } from '../model/log-window.ts'

interface LogAddress {
  readonly search: LogSearch
  /** The same object until one of them changes: what depends on filters alone is not drawn anew by a sort or a page. */
  readonly filters: LogFilters
  readonly live: boolean
  readonly change: Change
}

type Change = (part: Partial<LogSearch>, replace?: boolean) => void

/** The state of the page as its address has it. Rows are followed only as long as nothing else is asked for. */
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
      // A panel opens beside the row, which stays where it is.
      resetScroll: !('id' in part),
    })
  return { search, filters, live: search.live && canFollow(search), change }
}
