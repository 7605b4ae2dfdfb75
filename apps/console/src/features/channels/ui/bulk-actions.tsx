import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { deleteChannel, testChannel, updateChannel } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { BulkButton } from '../../../ui/table/bulk-button.tsx'
import { channelTexts } from '../texts/channel-texts.ts'
import { GroupsDialog, PriorityDialog } from './bulk-dialogs.tsx'

/** What can be done to the selected channels. */
export function ChannelBulkActions({ channels, clear }: { channels: readonly Channel[]; clear: () => void }) {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const [asking, setAsking] = useState<'groups' | 'priority'>()
  const refresh = () => void cache.invalidateQueries({ queryKey: ['channels'] })
  const onDone = () => {
    clear()
    refresh()
  }
  const onSet = () => {
    setAsking(undefined)
    onDone()
  }
  const setStatus = (status: 1 | 2) => async (channel: Channel) =>
    (await call(updateChannel, { query: { status_only: '1' }, body: { id: channel.id, status } })).ok
  const change = (body: { readonly group?: string; readonly priority?: number }) => async (channel: Channel) =>
    (await call(updateChannel, { query: {}, body: { id: channel.id, ...body } })).ok
  const test = async (channel: Channel) => (await call(testChannel, { params: { id: channel.id }, query: {} })).ok
  const remove = async (channel: Channel) => (await call(deleteChannel, { params: { id: channel.id } })).ok
  return (
    <>
      <BulkButton label={t.enable} rows={channels} act={setStatus(CHANNEL_STATUS.enabled)} onDone={onDone} />
      <BulkButton label={t.disable} rows={channels} act={setStatus(CHANNEL_STATUS.disabled)} onDone={onDone} />
      <BulkButton label={t.test} rows={channels} act={test} onDone={refresh} />
      <Button size="small" onClick={() => setAsking('groups')}>
        {t.setGroups}
      </Button>
      <Button size="small" onClick={() => setAsking('priority')}>
        {t.setPriority}
      </Button>
      <BulkButton
        label={t.delete}
        rows={channels}
        act={remove}
        onDone={onDone}
        question={{
          title: t.deleteManyTitle,
          text: t.deleteManyText(formatCount(channels.length)),
          confirm: t.delete,
          danger: true,
        }}
      />
      {asking === 'groups' && (
        <GroupsDialog channels={channels} change={change} onDone={onSet} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'priority' && (
        <PriorityDialog channels={channels} change={change} onDone={onSet} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}
