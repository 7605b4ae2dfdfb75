import type { Capabilities } from '@sluice/contract/price-list'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, useContext, useState } from 'react'
import type { Parameters } from '~/features/playground/model/parameters.ts'
import type { ModelChoice } from './use-model-choice.ts'
import type { Presets } from './use-presets.ts'
import type { TokenChoice } from './use-token-choice.ts'

export interface SetupControls {
  readonly tokens: TokenChoice
  readonly models: ModelChoice
  readonly capabilities: Capabilities
  readonly parameters: Parameters
  readonly change: (change: Partial<Parameters>) => void
  readonly presets: Presets
}

export const SetupControlsContext = createContext<SetupControls | undefined>(undefined)

export function useSetupControls(): SetupControls {
  const controls = useContext(SetupControlsContext)
  if (controls === undefined) throw new Error('useSetupControls needs a SetupControlsContext above it')
  return controls
}

type LinkPart = 'model' | 'with' | 'token' | 'prompt'

/** Choices of the address. They override stored choices until the user makes one, which removes them from the address. */
export function useLink() {
  const link = useSearch({ from: '/protected/chat' })
  const navigate = useNavigate({ from: '/chat' })
  return {
    ...link,
    drop(...parts: readonly LinkPart[]) {
      if (parts.every((part) => link[part] === '')) return
      const emptied = Object.fromEntries(parts.map((part) => [part, '']))
      void navigate({ search: (search) => ({ ...search, ...emptied }), replace: true })
    },
  }
}

/** Passes on a part of the address once, when it appears. True in that render, in which the state of the choice is outdated. */
export function useLinked(part: string, take: (part: string) => void): boolean {
  const [seen, setSeen] = useState('')
  if (part === seen) return false
  setSeen(part)
  if (part !== '') take(part)
  return part !== ''
}
