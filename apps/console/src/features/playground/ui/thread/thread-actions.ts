import { createContext, useContext } from 'react'
import type { ChatMessage } from '~/features/playground/model/message.ts'

/** What rows can do with their message. The same object while a conversation is shown, so that no row re-renders for it. */
export interface ThreadActions {
  copy(message: ChatMessage): void
  regenerate(column: number, id: string): void
  /** Opens the dialog. */
  edit(column: number, message: ChatMessage): void
  /** Asks first, and offers to undo it afterwards. */
  remove(id: string): void
  showBranch(column: number, id: string): void
}

export const ThreadActionsContext = createContext<ThreadActions | undefined>(undefined)

export function useThreadActions(): ThreadActions {
  const actions = useContext(ThreadActionsContext)
  if (actions === undefined) throw new Error('useThreadActions needs a ThreadActionsContext above it')
  return actions
}
