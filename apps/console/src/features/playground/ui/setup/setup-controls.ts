import type { Capabilities } from '@sluice/contract/price-list'
import { createContext, useContext } from 'react'
import type { Parameters } from '~/features/playground/model/parameters.ts'
import type { ModelChoice } from './use-model-choice.ts'
import type { Presets } from './use-presets.ts'
import type { TokenChoice } from './use-token-choice.ts'

/** Everything that can be chosen for the conversation; the result is the `Setup`. */
export interface SetupControls {
  readonly tokens: TokenChoice
  readonly models: ModelChoice
  /** What at least one of the chosen models accepts. */
  readonly capabilities: Capabilities
  readonly parameters: Parameters
  /** Stores the change in this browser. */
  readonly change: (change: Partial<Parameters>) => void
  readonly presets: Presets
}

export const SetupControlsContext = createContext<SetupControls | undefined>(undefined)

export function useSetupControls(): SetupControls {
  const controls = useContext(SetupControlsContext)
  if (controls === undefined) throw new Error('useSetupControls needs a SetupControlsContext above it')
  return controls
}
