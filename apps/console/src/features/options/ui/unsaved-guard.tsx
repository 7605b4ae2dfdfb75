import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { LeaveDialog } from '~/ui/form/leave-dialog.tsx'
import type { StoredOptions } from '../calls.ts'
import type { OptionsTabId } from '../model/cards.ts'
import { type PlacedCard, valueOf } from '../model/placed-settings.ts'
import { isUnchanged } from '../model/setting-value.ts'
import { useDrafts } from './drafts.ts'

interface UnsavedGuardProps {
  readonly cards: readonly PlacedCard[]
  readonly options: StoredOptions
  readonly tab: OptionsTabId
}

/** Keeps unsaved entries from being lost by leaving the tab. Searching and anchors do not leave it. */
export function UnsavedGuard({ cards, options, tab }: UnsavedGuardProps) {
  const drafts = useDrafts()
  const unsaved = cards.some(({ settings }) =>
    settings.some((setting) => {
      const draft = drafts.get(setting.key)
      return draft !== undefined && !isUnchanged(setting, draft, valueOf(setting, options.values))
    }),
  )
  const guard = useLeaveGuard(
    unsaved,
    ({ pathname, search }) => pathname === '/settings' && 'tab' in search && search.tab === tab,
  )
  if (guard.stopped === undefined) return null
  return <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />
}
