import { useState } from 'react'
import { PLAYGROUND_KEYS } from '../../../../lib/storage/keys.ts'
import { browserStorage, storedRecord } from '../../../../lib/storage/stored-record.ts'
import { DEFAULT_PARAMETERS, type Parameters, savedParameters } from '../../model/parameters.ts'

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.parameters, savedParameters)

/** Parameters as they were left, and what changes some of them. */
export function useKeptParameters(): readonly [Parameters, (change: Partial<Parameters>) => void] {
  const [parameters, setParameters] = useState(() => record().read() ?? DEFAULT_PARAMETERS)
  return [
    parameters,
    (change) => {
      const next = { ...parameters, ...change }
      record().write(next)
      setParameters(next)
    },
  ]
}
