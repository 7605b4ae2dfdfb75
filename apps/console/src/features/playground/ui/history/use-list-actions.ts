import { useState } from 'react'
import type { StoredConversation } from '~/features/playground/model/history/records.ts'
import { historyTexts } from '~/features/playground/texts/history/history-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { usePlayground } from '../use-playground.ts'
import { useConversations } from './use-conversations.ts'

/** What was deleted last, and how to restore it. */
export interface Deletion {
  readonly count: number
  readonly undo: () => void
}

/** Actions on listed conversations. The dialog itself reports a deletion: below a dialog, a toast cannot be pressed. */
export function useListActions() {
  const t = useTexts(historyTexts)
  const ask = useConfirm()
  const playground = usePlayground()
  const { history } = useConversations()
  const [deletion, setDeletion] = useState<Deletion>()
  const shownId = () => playground.get().conversation.id
  const restore = async (removed: readonly StoredConversation[], shown: string | undefined) => {
    await history.restore(removed)
    const back = removed.find(({ summary }) => summary.id === shown)
    if (back !== undefined) playground.open(back.conversation)
  }
  const remove = async (ids: readonly string[]) => {
    const shown = shownId()
    const removed = await history.remove(ids)
    // A deleted conversation is no longer shown; what arrives for it is discarded.
    if (ids.includes(shown)) playground.clear()
    setDeletion({
      count: removed.length,
      undo: () => {
        setDeletion(undefined)
        void restore(removed, ids.includes(shown) ? shown : undefined)
      },
    })
  }
  return {
    /** Undefined when nothing was deleted, or the deletion was undone. */
    deletion,
    pin: (id: string, pinned: boolean) => void history.pin(id, pinned),
    rename: (id: string, title: string) => {
      if (id === shownId()) playground.rename(title)
      else void history.rename(id, title)
    },
    remove: (id: string) => void remove([id]),
    removeAll: (ids: readonly string[]) =>
      ask({
        title: t.removeAllTitle,
        text: t.removeAllText(ids.length),
        confirm: t.removeAll,
        danger: true,
        run: () => remove(ids),
      }),
  }
}
