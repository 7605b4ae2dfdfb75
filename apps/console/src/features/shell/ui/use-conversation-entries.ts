import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { conversationTitles } from '~/lib/storage/conversation-titles.ts'
import { browserStorage } from '~/lib/storage/stored-record.ts'
import type { PaletteEntry } from '../model/palette-entries.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { useGo } from './use-go.ts'

/** The conversations of the playground, by title. Those without one contain only pictures, which only it can show. */
export function useConversationEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const go = useGo()
  const user = useUser()
  const titles = user === undefined ? [] : conversationTitles(browserStorage(), user.id).read()
  return titles
    .filter(({ title }) => title !== '')
    .map(({ id, title }) => ({
      id: `conversation ${id}`,
      label: title,
      hint: t.conversation,
      group: t.groups.found,
      run: () => go('/chat', { conversation: id }),
    }))
}
