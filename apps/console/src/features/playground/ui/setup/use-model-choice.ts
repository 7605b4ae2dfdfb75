import type { Token } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { useCall } from '../../../../lib/http/use-call.ts'
import { PLAYGROUND_KEYS } from '../../../../lib/storage/keys.ts'
import { browserStorage, storedRecord } from '../../../../lib/storage/stored-record.ts'
import { channelModelsQuery, entitledModelsQuery } from '../../api/model-access.ts'
import { type ChannelOption, channelOptions } from '../../model/channel-options.ts'
import {
  capabilitiesIn,
  type ModelOption,
  modelInForce,
  modelOptions,
  modelsOfChannel,
  restrictedModels,
} from '../../model/model-options.ts'
import { type Capabilities, NO_CAPABILITIES } from '../../model/parameters.ts'
import { useLink } from './use-link.ts'

export interface ModelChoice {
  readonly state: 'loading' | 'failed' | 'ready'
  /** What the token may ask on the chosen channel. */
  readonly options: readonly ModelOption[]
  /** One per column; '' where none is chosen. */
  readonly models: readonly string[]
  /** An empty name chooses nothing. */
  readonly choose: (column: number, model: string) => void
  readonly channels: readonly ChannelOption[]
  /** Narrows the models down; undefined lets all through. */
  readonly channel: ChannelOption | undefined
  readonly chooseChannel: (key: string) => void
  /** Whether channels and capabilities could not be asked for: models are then all there is to choose. */
  readonly channelsFailed: boolean
  readonly capabilitiesOf: (model: string) => Capabilities
  /** Asks again for what could not be had. */
  readonly retry: () => void
}

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.models, v.array(v.string()))

/** Which models are asked, one per column, and on which channel they were looked for. */
export function useModelChoice(token: Token | undefined, columns: number): ModelChoice {
  const call = useCall()
  const link = useLink()
  const [stored, setStored] = useState(() => record().read() ?? [])
  const [chosen, setChosen] = useState<readonly (string | undefined)[]>([])
  const [payer, setPayer] = useState(token?.id)
  const [channelKey, setChannelKey] = useState('')
  const entitled = useQuery(entitledModelsQuery(call))
  const shown = useQuery(channelModelsQuery(call))

  const channels = shown.data === undefined ? [] : channelOptions(shown.data)
  const channel = channels.find(({ key }) => key === channelKey)
  const restricted = restrictedModels(token?.models ?? null).length > 0
  const state = restricted ? 'ready' : entitled.isError ? 'failed' : entitled.isPending ? 'loading' : 'ready'
  const offered = modelOptions({ restricted: token?.models ?? null, entitled: entitled.data ?? [], channels })
  const options = modelsOfChannel(offered, channel)

  const modelOf = (column: number): string => {
    const wanted = column === 0 && link.model !== '' ? link.model : chosen[column]
    if (state !== 'ready' || token === undefined) return wanted ?? stored[column] ?? ''
    return modelInForce(options, wanted, stored[column])
  }
  const models = Array.from({ length: columns }, (_, column) => modelOf(column))

  // With another token a model is chosen again, even where the choice had been cleared.
  if (token !== undefined && token.id !== payer) {
    setPayer(token.id)
    setChosen(chosen.map((model) => model || undefined))
  } else if (models.some((model, column) => model !== '' && model !== chosen[column])) {
    // What is in force stays chosen for the next token or channel that offers it too.
    setChosen(models)
  }

  return {
    state,
    options,
    models,
    choose(column, model) {
      const next = Array.from({ length: Math.max(columns, chosen.length) }, (_, at) =>
        at === column ? model : chosen[at],
      )
      setChosen(next)
      if (model !== '') {
        const kept = next.map((name, at) => name || (stored[at] ?? ''))
        record().write(kept)
        setStored(kept)
      }
      if (column === 0) link.drop('model')
    },
    channels,
    channel,
    chooseChannel: setChannelKey,
    channelsFailed: shown.isError,
    capabilitiesOf: (model) => (shown.data === undefined ? NO_CAPABILITIES : capabilitiesIn(shown.data, model)),
    retry() {
      if (entitled.isError) void entitled.refetch()
      if (shown.isError) void shown.refetch()
    },
  }
}
