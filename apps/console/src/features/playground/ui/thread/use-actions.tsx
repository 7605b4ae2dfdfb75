import { useLayoutEffect, useRef, useState, createContext, useContext } from 'react'
import type { Playground, Setup } from '~/features/playground/engine/playground.ts'
import { type ChatMessage, textOf } from '~/features/playground/model/message.ts'
import { withMessageBack, lastReply, rowsOf } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { copyText } from '~/lib/dom/save-file.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { type Draft, returnToField, useDraft } from '../composer/use-attachments.ts'
import { usePlayground, useSetup, usePlaygroundState } from '../use-playground.ts'

export interface Edited {
  readonly column: number
  readonly message: ChatMessage
}

export function useActions(onEdit: (edited: Edited) => void): ThreadActions {
  const parts = {
    t: useTexts(threadTexts),
    toasts: useToasts(),
    confirm: useConfirm(),
    setup: useSetup(),
    draft: useDraft(),
    onEdit,
  }
  const playground = usePlayground()
  const now = useRef(parts)
  useLayoutEffect(() => {
    now.current = parts
  })
  const [actions] = useState(() => createActions(playground, () => now.current))
  return actions
}

interface ActionParts {
  readonly t: (typeof threadTexts)['en']
  readonly toasts: ReturnType<typeof useToasts>
  readonly confirm: ReturnType<typeof useConfirm>
  readonly setup: Setup
  readonly draft: Draft
  readonly onEdit: (edited: Edited) => void
}

function createActions(playground: Playground, parts: () => ActionParts): ThreadActions {
  const copy = async ({ content }: ChatMessage) => {
    const copied = await copyText(textOf(content))
    const { t, toasts } = parts()
    if (copied) toasts.show({ tone: 'good', title: t.copiedTitle, text: t.copied })
    else toasts.show({ tone: 'bad', title: t.copyFailedTitle, text: t.copyFailed })
  }
  const remove = (id: string) => {
    const { t, toasts } = parts()
    const before = playground.get().conversation
    playground.remove(id)
    const undo = () => {
      const { conversation } = playground.get()
      if (conversation.id === before.id) playground.open(withMessageBack(conversation, before, id))
    }
    toasts.show({
      tone: 'good',
      title: t.removedTitle,
      text: t.removed,
      action: { label: t.undo, run: undo },
    })
  }
  return {
    copy: (message) => void copy(message),
    regenerate(column, id) {
      const { setup, draft, toasts, t } = parts()
      const model = setup.models[column] ?? ''
      if (setup.key === '' || model === '') {
        toasts.show({ tone: 'info', title: setup.key === '' ? t.noToken : t.noModel })
        return
      }
      playground.regenerate(column, id, setup)
      // The button disappears together with the reply.
      returnToField(draft)
    },
    edit: (column, message) => parts().onEdit({ column, message }),
    remove(id) {
      const { t, confirm, draft } = parts()
      confirm({
        title: t.removeTitle,
        text: t.removeText,
        confirm: t.removeConfirm,
        danger: true,
        run: async () => {
          // The button that opened the dialog disappears with the message, and nothing outside an open dialog can take the focus.
          const dialog = document.querySelector('dialog:modal')
          dialog?.addEventListener('close', () => returnToField(draft), { once: true })
          remove(id)
        },
      })
    },
    showBranch: (column, id) => playground.showBranch(column, id),
  }
}

/** Actions of rows on their messages. Stays the same object while a conversation is shown, so that it re-renders no row. */
interface ThreadActions {
  copy(message: ChatMessage): void
  regenerate(column: number, id: string): void
  edit(column: number, message: ChatMessage): void
  /** Asks first, and offers to undo the removal. */
  remove(id: string): void
  showBranch(column: number, id: string): void
}

export const ThreadActionsContext = createContext<ThreadActions | undefined>(undefined)

export function useThreadActions(): ThreadActions {
  const actions = useContext(ThreadActionsContext)
  if (actions === undefined) throw new Error('useThreadActions needs a ThreadActionsContext above it')
  return actions
}

/** The up arrow triggers this command in an empty composer. */
export const EDIT_LAST = 'playground.edit-last'

/** Shortcuts of the conversation; while two models are compared, they apply to the first column. */
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

/** Registered only while there is something to stop, because nothing else receives the key while the command is registered. */
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
