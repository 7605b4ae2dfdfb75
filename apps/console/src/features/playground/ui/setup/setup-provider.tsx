import { type ReactNode, useContext } from 'react'
import { createStore } from '../../../../lib/store/store.ts'
import { useStore } from '../../../../lib/store/use-store.ts'
import { PlaygroundContext, SetupContext } from '../use-playground.ts'
import { SetupControlsContext } from './setup-controls.ts'
import { useKeptParameters } from './use-kept-parameters.ts'
import { useModelChoice } from './use-model-choice.ts'
import { useTokenChoice } from './use-token-choice.ts'

/** Holds what the sidebar chose: token, channel, models, parameters. */
export function SetupProvider({ children }: { children: ReactNode }) {
  const columns = useColumns()
  const tokens = useTokenChoice()
  const models = useModelChoice(tokens.token, columns)
  const [parameters, change] = useKeptParameters()
  const setup = {
    key: tokens.token?.key ?? '',
    models: models.models,
    capabilitiesOf: models.capabilitiesOf,
    parameters,
  }
  return (
    <SetupControlsContext value={{ tokens, models, parameters, change }}>
      <SetupContext value={setup}>{children}</SetupContext>
    </SetupControlsContext>
  )
}

const ALONE = createStore({ conversation: { leaves: [null] } })

function useColumns(): number {
  const playground = useContext(PlaygroundContext)
  const state = useStore<{ readonly conversation: { readonly leaves: readonly unknown[] } }>(playground ?? ALONE)
  return state.conversation.leaves.length
}
