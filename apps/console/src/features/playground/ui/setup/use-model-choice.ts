import type { Capabilities } from '@sluice/contract/price-list'
import type { Token } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import * as v from 'valibot'
import { channelModelsQuery, entitledModelsQuery } from '~/features/playground/calls.ts'
import {
  type ChannelOption,
  channelOptions,
  answerLimitIn,
  capabilitiesIn,
  modelInForce,
  type ModelOption,
  modelOptions,
  modelsOfChannel,
  restrictedModels,
} from '~/features/playground/model/model-options.ts'
import { NO_CAPABILITIES } from '~/features/playground/model/parameters.ts'
import { useCall } from '~/lib/http/call.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { useLink, useLinked } from './setup-controls.ts'

export interface ModelChoice {
  readonly state: 'loading' | 'failed' | 'ready'
  /** Models that the token may use on the chosen channel. */
  readonly options: readonly ModelOption[]
  /** Models that the token may use on any channel. */
  readonly offered: readonly ModelOption[]
  /** One per column; '' where none is chosen. */
  readonly models: readonly string[]
  /** An empty name clears the choice. */
  readonly choose: (column: number, model: string) => void
  readonly channels: readonly ChannelOption[]
  /** Narrows down the models; undefined offers all of them. */
  readonly channel: ChannelOption | undefined
  readonly chooseChannel: (key: string) => void
  /** Loading state of channels and capabilities; without them, only models can be chosen. */
  readonly channelState: 'loading' | 'failed' | 'ready'
  readonly capabilitiesOf: (model: string) => Capabilities
  /** Maximum tokens of an answer; undefined if unknown. */
  readonly answerLimitOf: (model: string) => number | undefined
  /** The address's model if it is not available; otherwise ''. */
  readonly linkMissing: string
  readonly retry: () => void
}

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.models, v.array(v.string()))

export function useModelChoice(token: Token | undefined, columns: number): ModelChoice {
  const link = useLink()
  const [stored, setStored] = useState(() => record().read() ?? [])
  const [chosen, setChosen] = useState<readonly (string | undefined)[]>([])
  const first = useLinked(link.model, (model) => setChosen(([, second]) => [model, second]))
  const second = useLinked(link.with, (model) => setChosen(([kept]) => [kept, model]))
  const linking = first || second
  const [payer, setPayer] = useState(token?.id)
  const { entitled, limits, retry, ...offers } = useOffers(token)
  const { options, offered } = offers
  const state = restrictedModels(limits).length > 0 ? 'ready' : stateOf(entitled)
  const settled = state === 'ready' && token !== undefined

  const modelOf = (column: number): string => {
    if (!settled) return chosen[column] ?? stored[column] ?? ''
    // Two columns begin with different models.
    const kept = stored[column] ?? options.find(({ id }) => column > 0 && id !== models[0])?.id
    return modelInForce(options, chosen[column], kept)
  }
  const models: string[] = []
  for (let column = 0; column < columns; column += 1) models.push(modelOf(column))

  // After a change of token, a model is chosen again, even if the choice had been cleared.
  if (!linking && token !== undefined && token.id !== payer) {
    setPayer(token.id)
    setChosen(chosen.map((model) => model || undefined))
  } else if (!linking && models.some((model, column) => model !== '' && model !== chosen[column])) {
    // The model in force stays chosen for the next token or channel that also offers it.
    setChosen(models.map((model, column) => (model === '' ? chosen[column] : model)))
  }

  const linked = [link.model, link.with].filter(Boolean)
  return {
    ...offers,
    state,
    models,
    choose(column, model) {
      // The column may be about to open.
      const next = Array.from({ length: Math.max(columns, column + 1) }, (_, at) =>
        at === column ? model : models[at],
      )
      setChosen(next)
      if (model !== '') {
        const kept = next.map((name, at) => name || (stored[at] ?? ''))
        record().write(kept)
        setStored(kept)
      }
      link.drop(column === 0 ? 'model' : 'with')
    },
    linkMissing: settled ? (linked.find((name) => !offered.some(({ id }) => id === name)) ?? '') : '',
    retry,
  }
}

function useOffers(token: Token | undefined) {
  const call = useCall()
  const [channelKey, setChannelKey] = useState('')
  const entitled = useQuery(entitledModelsQuery(call, token?.groups))
  const shown = useQuery(channelModelsQuery(call))
  const limits = token?.models ?? null
  const channels = useMemo(() => (shown.data === undefined ? [] : channelOptions(shown.data)), [shown.data])
  const channel = channels.find(({ key }) => key === channelKey)
  const offered = useMemo(
    () => modelOptions({ restricted: limits, entitled: entitled.data ?? [], channels }),
    [limits, entitled.data, channels],
  )
  const options = useMemo(() => modelsOfChannel(offered, channel), [offered, channel])
  const capabilitiesOf = useCallback(
    (model: string) => (shown.data === undefined ? NO_CAPABILITIES : capabilitiesIn(shown.data, model)),
    [shown.data],
  )
  return {
    entitled,
    limits,
    offered,
    options,
    channels,
    channel,
    chooseChannel: setChannelKey,
    channelState: stateOf(shown),
    capabilitiesOf,
    answerLimitOf: (model: string) => (shown.data === undefined ? undefined : answerLimitIn(shown.data, model)),
    retry: () => {
      if (entitled.isError) void entitled.refetch()
      if (shown.isError) void shown.refetch()
    },
  }
}

function stateOf(query: { readonly isLoadingError: boolean; readonly isPending: boolean }): ModelChoice['state'] {
  if (query.isLoadingError) return 'failed'
  return query.isPending ? 'loading' : 'ready'
}
