import type { Capabilities } from '@sluice/contract/price-list'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import {
  DEFAULT_PARAMETERS,
  fittedParameters,
  type Parameters,
  savedParameters,
} from '~/features/playground/model/parameters.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.parameters, savedParameters)

interface KeptParameters {
  readonly parameters: Parameters
  /** Applies some of them and stores all in this browser. */
  readonly change: (change: Partial<Parameters>) => void
}

/**
 * Parameters as the user left them. What the models do not accept goes back to its default as soon as they are chosen;
 * `capabilities` is undefined while it is not known what they accept.
 */
export function useKeptParameters(models: string, capabilities: Capabilities | undefined): KeptParameters {
  const [parameters, setParameters] = useState(() => record().read() ?? DEFAULT_PARAMETERS)
  const [fittedTo, setFittedTo] = useState('')
  if (capabilities !== undefined && models !== fittedTo) {
    setFittedTo(models)
    setParameters(fittedParameters(parameters, capabilities))
  }
  // What was reset stays so after a reload.
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
