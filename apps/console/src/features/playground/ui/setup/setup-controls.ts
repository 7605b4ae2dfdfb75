import { createContext, useContext } from 'react'
import type { Parameters } from '../../model/parameters.ts'
import type { ModelChoice } from './use-model-choice.ts'
import type { TokenChoice } from './use-token-choice.ts'

/** Everything that can be chosen beside the conversation; what came of it is the `Setup`. */
export interface SetupControls {
  readonly tokens: TokenChoice
  readonly models: ModelChoice
  readonly parameters: Parameters
  /** Keeps the change in this browser. */
  readonly change: (change: Partial<Parameters>) => void
}

export const SetupControlsContext = createContext<SetupControls | undefined>(undefined)

export function useSetupControls(): SetupControls {
  const controls = useContext(SetupControlsContext)
  if (controls === undefined) throw new Error('useSetupControls needs a SetupControlsContext above it')
  return controls
}
