import { createContext, useContext, useSyncExternalStore } from 'react'
import { type Store, useStore } from '~/lib/store/store.ts'
import type { Playground, PlaygroundState, Setup, LiveReply } from '../engine/playground.ts'

export const PlaygroundContext = createContext<Playground | undefined>(undefined)

export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext)
  if (playground === undefined) throw new Error('usePlayground needs a PlaygroundContext above it')
  return playground
}

export function usePlaygroundState(): PlaygroundState {
  return useStore(usePlayground())
}

/** The choices of the sidebar; questions are asked with them. */
export const SetupContext = createContext<Setup | undefined>(undefined)

export function useSetup(): Setup {
  const setup = useContext(SetupContext)
  if (setup === undefined) throw new Error('useSetup needs a SetupContext above it')
  return setup
}

export type LiveStore = Pick<Store<LiveReply>, 'get' | 'subscribe'>

/** One simple fact about an arriving reply; re-renders only when that fact changes. */
export function useLive<T extends string | number | boolean>(live: LiveStore, factOf: (reply: LiveReply) => T): T {
  return useSyncExternalStore(live.subscribe, () => factOf(live.get()))
}
