import type { Channel } from '@sluice/contract/channel'
import { useState } from 'react'
import { testableModels } from '~/features/channels/model/comma-names.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Select } from '~/ui/field.tsx'
import { type ChannelActions, useChannelLabel } from './use-channel-actions.ts'

/** No model can have this name; it stands for the stored `null`. */
const CHEAPEST = ''

interface TestingModelSelectProps {
  readonly channel: Channel
  readonly actions: ChannelActions
}

/** The model a channel is tested with, chosen in place. */
export function TestingModelSelect({ channel, actions }: TestingModelSelectProps) {
  const t = useTexts(channelTexts)
  const label = useChannelLabel()
  // A list of channels with a hundred models each: the choices are rendered when the user reaches for them.
  const [wanted, setWanted] = useState(false)
  const { testing_model: chosen } = channel
  const models = wanted
    ? [...new Set([...(chosen === null ? [] : [chosen]), ...testableModels(channel)])]
    : chosen === null
      ? []
      : [chosen]
  return (
    <Select
      quiet
      disabled={channel.managed_by !== ''}
      aria-label={t.testingModelOf(label(channel))}
      value={chosen ?? CHEAPEST}
      options={[{ value: CHEAPEST, label: t.cheapest }, ...models.map((model) => ({ value: model, label: model }))]}
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onChange={(event) => {
        const model = event.target.value
        void actions.saveTestingModel(channel, model === CHEAPEST ? null : model)
      }}
    />
  )
}
