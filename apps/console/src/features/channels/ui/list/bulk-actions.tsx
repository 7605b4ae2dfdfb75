import type { Channel } from '@sluice/contract/channel'
import { testChannel, updateChannel } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { channelChanges } from '~/features/channels/calls.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { BulkButton } from '~/ui/table/bulk-button.tsx'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { GroupsDialog, PriorityDialog } from './bulk-dialogs.tsx'

export function ChannelBulkActions({ channels, clear }: { channels: readonly Channel[]; clear: () => void }) {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const [asking, setAsking] = useState<'groups' | 'priority'>()
  const refresh = () => void cache.invalidateQueries({ queryKey: ['channels'] })
  const onSet = () => {
    setAsking(undefined)
    clear()
    refresh()
  }
  const change = (body: { readonly group?: string; readonly priority?: number }) => async (channel: Channel) =>
    (await call(updateChannel, { query: {}, body: { id: channel.id, ...body } })).ok
  const test = async (channel: Channel) => (await call(testChannel, { params: { id: channel.id }, query: {} })).ok
  return (
    <>
      <BulkChanges area="channels" calls={channelChanges(call)} rows={channels} clear={clear} texts={t}>
        <BulkButton label={t.test} rows={channels} act={test} onDone={refresh} />
        <Button size="small" onClick={() => setAsking('groups')}>
          {t.setGroups}
        </Button>
        <Button size="small" onClick={() => setAsking('priority')}>
          {t.setPriority}
        </Button>
      </BulkChanges>
      {asking === 'groups' && (
        <GroupsDialog channels={channels} change={change} onDone={onSet} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'priority' && (
        <PriorityDialog channels={channels} change={change} onDone={onSet} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}
