import { clsx } from 'clsx'
import { lazy, Suspense, useState } from 'react'
import { titleOf } from '~/features/playground/model/history/conversation-summary.ts'
import type { Conversation } from '~/features/playground/model/message.ts'
import { historyTexts } from '~/features/playground/texts/history-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { Badge } from '~/ui/badge.tsx'
import { buttonClass } from '~/ui/button.tsx'
import { ChevronDownIcon } from '~/ui/icon.tsx'
import { usePlaygroundState, useConversations } from '../use-playground.ts'

const ConversationsDialog = lazy(async () => ({
  default: (await import('./conversations-dialog.tsx')).ConversationsDialog,
}))

export function ConversationsButton() {
  const t = useTexts(historyTexts)
  const { conversation } = usePlaygroundState()
  const temporary = useStore(useConversations().temporary) === conversation.id
  const title = useShownTitle()(conversation)
  const [open, setOpen] = useState(false)
  useCommand({ id: 'playground.conversations', label: t.open, group: t.group, keys: 'h', run: () => setOpen(true) })
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-description={t.open}
        onClick={() => setOpen(true)}
        className={clsx(buttonClass('ghost', 'small'), 'min-w-0')}
      >
        <span className="truncate">{title}</span>
        <ChevronDownIcon />
      </button>
      {temporary && <Badge tone="neutral">{t.temporaryBadge}</Badge>}
      {open && (
        <Suspense>
          <ConversationsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function useShownTitle(): (conversation: Conversation) => string {
  const t = useTexts(historyTexts)
  return (conversation) => {
    const title = titleOf(conversation)
    if (title !== '') return title
    return conversation.messages.length === 0 ? t.untitled : t.picture
  }
}
