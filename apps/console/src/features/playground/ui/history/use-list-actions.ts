import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { useConfirm } from '../../../../ui/confirm.tsx'
import { useToasts } from '../../../../ui/toast/toasts.ts'
import type { Kept } from '../../model/history/records.ts'
import { historyTexts } from '../../texts/history/history-texts.ts'
import { usePlayground } from '../use-playground.ts'
import { useConversations } from './use-conversations.ts'

/** How long a deletion can be taken back, in milliseconds. */
const UNDO_MS = 8_000

/** What can be done with conversations in the list. */
export function useListActions() {
  const t = useTexts(historyTexts)
  const toasts = useToasts()
  const ask = useConfirm()
  const playground = usePlayground()
  const { history } = useConversations()
  const shownId = () => playground.get().conversation.id
  const restore = async (removed: readonly Kept[], shown: string | undefined) => {
    await history.restore(removed)
    const back = removed.find(({ summary }) => summary.id === shown)
    if (back !== undefined) playground.open(back.conversation)
  }
  const remove = async (ids: readonly string[], title: string) => {
    const shown = shownId()
    const removed = await history.remove(ids)
    // What is no longer kept is not shown either; what arrives of it is given up.
    if (ids.includes(shown)) playground.clear()
    const undo = { label: t.undo, run: () => void restore(removed, ids.includes(shown) ? shown : undefined) }
    toasts.show({ tone: 'good', title, duration: UNDO_MS, action: undo })
  }
  return {
    pin: (id: string, pinned: boolean) => void history.pin(id, pinned),
    rename: (id: string, title: string) => {
      if (id === shownId()) playground.rename(title)
      else void history.rename(id, title)
    },
    remove: (id: string) => void remove([id], t.removed),
    removeAll: (ids: readonly string[]) =>
      ask({
        title: t.removeAllTitle,
        text: t.removeAllText(ids.length),
        confirm: t.removeAll,
        danger: true,
        run: () => remove(ids, t.removedAll),
      }),
  }
}
