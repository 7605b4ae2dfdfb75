import { createContext, useContext, useSyncExternalStore } from 'react'
import { type Store, useStore } from '~/lib/store.ts'
import type { Playground, PlaygroundState, Setup, LiveReply } from '../engine/playground.ts'
import type { History } from '../model/history/history.ts'

export const PlaygroundContext = createContext<Playground | undefined>(undefined)

export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext)
  if (playground === undefined) throw new Error('usePlayground needs a PlaygroundContext above it')
  return playground
}

export function usePlaygroundState(): PlaygroundState {
  return useStore(usePlayground())
}

export const SetupContext = createContext<Setup | undefined>(undefined)

export function useSetup(): Setup {
  const setup = useContext(SetupContext)
  if (setup === undefined) throw new Error('useSetup needs a SetupContext above it')
  return setup
}

export type LiveStore = Pick<Store<LiveReply>, 'get' | 'subscribe'>

/** Re-renders only when the selected fact about the reply changes. */
export function useLive<T extends string | number | boolean>(live: LiveStore, factOf: (reply: LiveReply) => T): T {
  return useSyncExternalStore(live.subscribe, () => factOf(live.get()))
}

export interface Conversations {
  readonly history: History
  /** Conversations are stored permanently, or until the user leaves the page if the browser has no database for us. */
  readonly place: 'browser' | 'page'
  /** Id of the conversation that is not stored; undefined without one. */
  readonly temporary: Pick<Store<string | undefined>, 'get' | 'subscribe'>
  /** Keeps what has arrived of the previous conversation. A missing id changes nothing. */
  open(id: string): Promise<void>
  /** Toggles whether the open conversation is stored. If it is stored already, opens a new one instead. */
  setTemporary(on: boolean): void
}

export const ConversationsContext = createContext<Conversations | undefined>(undefined)

export function useConversations(): Conversations {
  const conversations = useContext(ConversationsContext)
  if (conversations === undefined) throw new Error('useConversations needs a ConversationsContext above it')
  return conversations
}
