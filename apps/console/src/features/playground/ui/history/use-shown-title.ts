import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { titleOf } from '../../model/history/conversation-summary.ts'
import type { Conversation } from '../../model/message.ts'
import { historyTexts } from '../../texts/history/history-texts.ts'

/** Returns the title of a conversation, even if nothing names it yet. */
export function useShownTitle(): (conversation: Conversation) => string {
  const t = useTexts(historyTexts)
  return (conversation) => {
    const title = titleOf(conversation)
    if (title !== '') return title
    return conversation.messages.length === 0 ? t.untitled : t.picture
  }
}
