import { createContext, useContext } from 'react'
import type { Store } from '../../../../lib/store/store.ts'
import type { History } from '../../model/history/history.ts'

/** The conversations of the signed-in user in this browser. */
export interface Conversations {
  readonly history: History
  /** Where they are kept: for good, or until the page is left, where the browser has no database for us. */
  readonly place: 'browser' | 'page'
  /** Id of the conversation that is not kept; undefined while there is none. */
  readonly temporary: Pick<Store<string | undefined>, 'get' | 'subscribe'>
  /** Shows a conversation; what arrives of another one is kept. One that is gone changes nothing. */
  open(id: string): Promise<void>
  /** Switches whether the open conversation is kept. One that is kept already is left for a new one. */
  setTemporary(on: boolean): void
}

export const ConversationsContext = createContext<Conversations | undefined>(undefined)

export function useConversations(): Conversations {
  const conversations = useContext(ConversationsContext)
  if (conversations === undefined) throw new Error('useConversations needs a ConversationsContext above it')
  return conversations
}
