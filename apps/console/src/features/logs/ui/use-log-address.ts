import { useNavigate, useSearch } from '@tanstack/react-router'
import { canFollow } from '../model/log-address.ts'
import type { LogSearch } from '../model/log-search.ts'

type Change = (part: Partial<LogSearch>, replace?: boolean) => void

/** The state of the page as its address has it. Rows are followed only as long as nothing else is asked for. */
export function useLogAddress(): { readonly search: LogSearch; readonly live: boolean; readonly change: Change } {
  const navigate = useNavigate({ from: '/logs' })
  const search = useSearch({ from: '/protected/logs' })
  const change: Change = (part, replace = false) =>
    void navigate({
      search: (previous) => {
        const next = { ...previous, ...part }
        return { ...next, live: next.live && canFollow(next) }
      },
      replace,
    })
  return { search, live: search.live && canFollow(search), change }
}
