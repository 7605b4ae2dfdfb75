import { createContext, useContext } from 'react'
import { useStore } from '~/lib/store/use-store.ts'
import type { Playground, PlaygroundState, Setup } from '../engine/playground.ts'

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
