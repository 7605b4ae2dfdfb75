import { lastReply, rowsOf } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useDraft } from '../composer/draft.ts'
import { usePlayground, usePlaygroundState } from '../use-playground.ts'
import { useThreadActions } from './use-actions.ts'

/** Id of the command that the up arrow triggers in an empty composer. */
export const EDIT_LAST = 'playground.edit-last'

/** The keyboard shortcuts of the conversation. They apply to the first column if two models are compared. */
export function ThreadCommands() {
  const t = useTexts(threadTexts)
  const { conversation, busy } = usePlaygroundState()
  const actions = useThreadActions()
  const draft = useDraft()
  const rows = rowsOf(conversation, 0)
  const reply = lastReply(rows)
  const question = rows.findLast(({ message }) => message.role === 'user')
  const { group, commands } = t
  const go = (id: string | undefined) => id !== undefined && actions.showBranch(0, id)
  useCommand({
    id: 'playground.write',
    label: commands.focus,
    group,
    keys: '/',
    run: () => draft.field.current?.focus(),
  })
  useCommand({
    id: 'playground.copy-last',
    label: commands.copyLast,
    group,
    keys: '$mod+Shift+c',
    run: () => reply && actions.copy(reply.message),
  })
  useCommand({
    id: 'playground.regenerate-last',
    label: commands.regenerateLast,
    group,
    keys: '$mod+Shift+Enter',
    run: () => reply && actions.regenerate(0, reply.message.id),
  })
  useCommand({
    id: EDIT_LAST,
    label: commands.editLast,
    group,
    keys: 'e',
    run: () => question && actions.edit(0, question.message),
  })
  useCommand({ id: 'playground.previous', label: commands.previous, group, keys: ',', run: () => go(reply?.previous) })
  useCommand({ id: 'playground.next', label: commands.next, group, keys: '.', run: () => go(reply?.next) })
  return busy ? <StopCommand /> : null
}

/** Registered only while there is something to stop, because the key would not reach anything else meanwhile. */
function StopCommand() {
  const { group, commands } = useTexts(threadTexts)
  const playground = usePlayground()
  const stop = () => {
    const menu = document.querySelector<HTMLElement>('[role=menu]:popover-open')
    if (menu === null) playground.stop()
    else menu.hidePopover()
  }
  useCommand({ id: 'playground.stop', label: commands.stop, group, keys: 'Escape', run: stop })
  return null
}
