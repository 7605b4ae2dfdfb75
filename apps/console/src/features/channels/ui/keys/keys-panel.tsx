import { CHANNEL_KEY_STATUS, type ChannelKey } from '@sluice/contract/channel'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelHealthQuery, channelKeysQuery } from '~/features/channels/calls.ts'
import { keyState } from '~/features/channels/model/key-state.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { LOOK_AGAIN_MS } from '../health/use-channel-health.ts'
import { AddKeys } from './add-keys.tsx'
import { KeyRow } from './key-row.tsx'

interface KeysPanelProps {
  readonly id: number
  /** What the list calls the channel; undefined when it is not on the page. */
  readonly name: string | undefined
  readonly onClose: () => void
}

/** A channel may have a thousand. */
const SHOWN = 50

/** The keys of a channel: which of them are on, in cooldown or switched off, and a form to add more. */
export function KeysPanel({ id, name, onClose }: KeysPanelProps) {
  const t = useTexts(keyTexts)
  const query = useQuery(channelKeysQuery(useCall(), id))
  return (
    <Panel
      title={t.keysOf(name ?? `#${id}`)}
      subtitle={query.data === undefined ? `#${id}` : t.count(formatCount(query.data.length))}
      onClose={onClose}
      footer={<AddKeys id={id} />}
    >
      <div className="flex flex-col items-stretch gap-3">
        <p className="text-muted text-sm">{t.listHint}</p>
        {query.isPending && <Skeleton className="h-32 w-full" />}
        <LoadFailure query={query} text={t.loadFailed} />
        {query.data !== undefined && <KeyList id={id} keys={query.data} />}
      </div>
    </Panel>
  )
}

function KeyList({ id, keys }: { id: number; keys: readonly ChannelKey[] }) {
  const t = useTexts(keyTexts)
  const routing = useTexts(channelRoutingTexts)
  const [shown, setShown] = useState(SHOWN)
  const health = useQuery({ ...channelHealthQuery(useCall(), id), refetchInterval: LOOK_AGAIN_MS })
  const lanes = health.data?.flatMap((channel) => channel.lanes) ?? []
  const on = keys.filter(({ status }) => status === CHANNEL_KEY_STATUS.enabled).length
  const more = Math.min(SHOWN, keys.length - shown)
  return (
    <>
      <LoadFailure query={health} text={routing.healthFailed} />
      <ul aria-label={t.keys} className="divide-line flex flex-col divide-y">
        {keys.slice(0, shown).map((key) => (
          <KeyRow
            key={key.fingerprint}
            id={id}
            of={key}
            state={keyState(key, lanes)}
            last={key.status === CHANNEL_KEY_STATUS.enabled && on === 1}
            only={keys.length === 1}
          />
        ))}
      </ul>
      {more > 0 && <Button onClick={() => setShown(shown + SHOWN)}>{t.more(formatCount(more))}</Button>}
    </>
  )
}
