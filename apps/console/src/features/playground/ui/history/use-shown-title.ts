import { titleOf } from '~/features/playground/model/history/conversation-summary.ts'
import type { Conversation } from '~/features/playground/model/message.ts'
import { historyTexts } from '~/features/playground/texts/history/history-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'

/** Returns the title of a conversation, even if nothing names it yet. */
export function useShownTitle(): (conversation: Conversation) => string {
  const t = useTexts(historyTexts)
  return (conversation) => {
    const title = titleOf(conversation)
    if (title !== '') return title
    return conversation.messages.length === 0 ? t.untitled : t.picture
  }
}
