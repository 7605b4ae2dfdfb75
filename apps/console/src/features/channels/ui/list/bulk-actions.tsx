import type { Channel } from '@sluice/contract/channel'
import { testChannel, updateChannel } from '@sluice/contract/routes/channels'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelChanges, groupNamesQuery } from '~/features/channels/calls.ts'
import { DEFAULT_GROUP } from '~/features/channels/model/channel-form-values.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { MultiSelect } from '~/ui/combobox/multi-select.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { BulkButton, BulkChanges } from '~/ui/table/bulk-changes.tsx'

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

interface BulkDialogProps {
  readonly channels: readonly Channel[]
  readonly change: (body: {
    readonly group?: string
    readonly priority?: number
  }) => (channel: Channel) => Promise<boolean>
  readonly onDone: () => void
  readonly onClose: () => void
}

function GroupsDialog({ channels, change, onDone, onClose }: BulkDialogProps) {
  const t = useTexts(channelTexts)
  const known = useQuery(groupNamesQuery(useCall())).data ?? [DEFAULT_GROUP]
  const [groups, setGroups] = useState<readonly string[]>([])
  const group = groups.length === 0 ? DEFAULT_GROUP : groups.join(',')
  return (
    <Dialog
      title={t.setGroups}
      onClose={onClose}
      footer={<BulkButton label={t.setGroups} rows={channels} act={change({ group })} onDone={onDone} />}
    >
      <p className="text-muted mb-3">{t.setGroupsText(formatCount(channels.length))}</p>
      <Field label={t.fields.groups.label} hint={t.fields.groups.hint}>
        {(ids) => (
          <MultiSelect
            control={ids}
            label={t.fields.groups.label}
            placeholder={DEFAULT_GROUP}
            options={known}
            value={groups}
            onChange={setGroups}
          />
        )}
      </Field>
    </Dialog>
  )
}

function PriorityDialog({ channels, change, onDone, onClose }: BulkDialogProps) {
  const t = useTexts(channelTexts)
  const [text, setText] = useState('0')
  const isWhole = /^-?\d{1,9}$/.test(text.trim())
  return (
    <Dialog
      title={t.setPriority}
      onClose={onClose}
      footer={
        <BulkButton
          label={t.setPriority}
          rows={isWhole ? channels : []}
          act={change({ priority: Number(text) })}
          onDone={isWhole ? onDone : () => undefined}
        />
      }
    >
      <p className="text-muted mb-3">{t.setPriorityText(formatCount(channels.length))}</p>
      <Field
        label={t.fields.priority.label}
        hint={t.fields.priority.hint}
        error={isWhole ? undefined : t.notInteger(t.fields.priority.label)}
      >
        {(ids) => (
          <TextInput
            {...ids}
            data-first-focus
            inputMode="numeric"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
