import type { Capabilities } from '@sluice/contract/price-list'
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useSyncExternalStore,
  useCallback,
  useState,
} from 'react'
import {
  joinedCapabilities,
  DEFAULT_PARAMETERS,
  fittedParameters,
  type Parameters,
  savedParameters,
} from '~/features/playground/model/parameters.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { SetupContext, usePlayground } from '../use-playground.ts'
import { SetupControlsContext, useLink } from './setup-controls.ts'
import { useModelChoice } from './use-model-choice.ts'
import { usePresets } from './use-presets.ts'
import { useTokenChoice } from './use-token-choice.ts'

export function SetupProvider({ children }: { children: ReactNode }) {
  const columns = useColumns()
  const tokens = useTokenChoice()
  const models = useModelChoice(tokens.token, columns)
  useLinkedComparison(columns)

  const { capabilitiesOf } = models
  const chosen = models.models.join('\n')
  const joined = useMemo(
    () => joinedCapabilities(chosen.split('\n').map((model) => capabilitiesOf(model))),
    [chosen, capabilitiesOf],
  )
  const isKnown = models.channelState === 'ready' && models.models.some((model) => model !== '')
  const { parameters, change } = useKeptParameters(chosen, isKnown ? joined : undefined)
  const presets = usePresets({ models, parameters, change })

  const key = tokens.token?.key ?? ''
  const setup = useMemo(
    () => ({ key, models: chosen.split('\n'), capabilitiesOf, parameters }),
    [key, chosen, capabilitiesOf, parameters],
  )
  return (
    <SetupControlsContext value={{ tokens, models, capabilities: joined, parameters, change, presets }}>
      <SetupContext value={setup}>{children}</SetupContext>
    </SetupControlsContext>
  )
}

/** A number of its own, so that added or removed messages re-render nothing. */
function useColumns(): number {
  const { subscribe, get } = usePlayground()
  return useSyncExternalStore(subscribe, () => get().columns.length)
}

/** Opens the second column for the model that the address names for it; closing the column removes the name. */
function useLinkedComparison(columns: number): void {
  const playground = usePlayground()
  const link = useLink()
  const compared = useRef(false)
  const follow = useEffectEvent(() => {
    if (compared.current && columns === 1) link.drop('with')
    compared.current = columns === 2
  })
  useEffect(() => follow(), [columns])
  useEffect(() => {
    if (link.with !== '') playground.compare(2)
  }, [link.with, playground])
}

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.parameters, savedParameters)

interface KeptParameters {
  readonly parameters: Parameters
  readonly change: (change: Partial<Parameters>) => void
}

/**
 * Parameters that the models do not accept return to their defaults as soon as the models are chosen; `capabilities` is undefined
 * while unknown.
 */
function useKeptParameters(models: string, capabilities: Capabilities | undefined): KeptParameters {
  const [parameters, setParameters] = useState(() => record().read() ?? DEFAULT_PARAMETERS)
  const [fittedTo, setFittedTo] = useState('')
  if (capabilities !== undefined && models !== fittedTo) {
    setFittedTo(models)
    setParameters(fittedParameters(parameters, capabilities))
  }
  const settle = useEffectEvent(() => {
    if (record().read() !== undefined) record().write(parameters)
  })
  useEffect(() => {
    if (fittedTo !== '') settle()
  }, [fittedTo])
  const change = useCallback(
    (wanted: Partial<Parameters>) => {
      const next = { ...parameters, ...wanted }
      record().write(next)
      setParameters(next)
    },
    [parameters],
  )
  return { parameters, change }
}
