import { createContext, useContext } from 'react'
import type { History } from '~/features/playground/model/history/history.ts'
import type { Store } from '~/lib/store/store.ts'

/** The conversations of the signed-in user in this browser. */
export interface Conversations {
  readonly history: History
  /** Where they are stored: permanently, or until the page is left if the browser has no database for us. */
  readonly place: 'browser' | 'page'
  /** Id of the conversation that is not stored; undefined while there is none. */
  readonly temporary: Pick<Store<string | undefined>, 'get' | 'subscribe'>
  /** Shows a conversation; what has arrived of the previous one is kept. A missing id changes nothing. */
  open(id: string): Promise<void>
  /** Toggles whether the open conversation is stored. If it already is, a new one is opened instead. */
  setTemporary(on: boolean): void
}

export const ConversationsContext = createContext<Conversations | undefined>(undefined)

export function useConversations(): Conversations {
  const conversations = useContext(ConversationsContext)
  if (conversations === undefined) throw new Error('useConversations needs a ConversationsContext above it')
  return conversations
}
