import type { Channel } from '@sluice/contract/channel'
import { createChannel, updateChannel } from '@sluice/contract/routes/channels'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { channelQuery } from '~/features/channels/calls.ts'
import { createBody, updateBody } from '~/features/channels/model/channel-body.ts'
import { type ChannelFormValues, NEW_CHANNEL, formOfChannel } from '~/features/channels/model/channel-form-values.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSaved } from '~/ui/form/form-shell.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ChannelForm } from './channel-form.tsx'

/** A new channel, or several of one kind: one for each key, or one with all of them. */
export function ChannelCreatePage() {
  const t = useTexts(channelTexts)
  const keys = useTexts(keyTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('channels')

  const create = async (values: ChannelFormValues): Promise<string> => {
    const reply = await call(createChannel, { body: createBody(values) })
    const count = reply.ok ? reply.data.length : 0
    const repeated = reply.ok ? reply.extra.duplicate_keys : 0
    const text =
      repeated > 0 ? keys.repeated(formatCount(repeated)) : count > 1 ? t.createdMany(formatCount(count)) : undefined
    return saved(reply, { title: t.created, ...(text !== undefined && { text }) })
  }
  return (
    <Page title={t.createTitle} width="wide">
      <ChannelForm start={NEW_CHANNEL} onSave={create} onSaved={() => void navigate({ to: '/channels' })} />
    </Page>
  )
}

export function ChannelEditPage() {
  const t = useTexts(channelTexts)
  const { id } = useParams({ from: '/protected/channels/edit/$id' })
  const query = useQuery(channelQuery(useCall(), id))
  return (
    <Page title={t.editTitle} {...(query.data && { subtitle: query.data.name })} width="wide">
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-[48rem] w-full rounded-lg" />}
      {query.data !== undefined && <EditForm key={id} channel={query.data} />}
    </Page>
  )
}

function EditForm({ channel }: { channel: Channel }) {
  const t = useTexts(channelTexts)
  const keys = useTexts(keyTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('channels')

  const update = async (values: ChannelFormValues): Promise<string> => {
    const reply = await call(updateChannel, { query: {}, body: updateBody(channel, values) })
    const repeated = reply.ok ? reply.extra.duplicate_keys : 0
    return saved(reply, { title: t.updated, ...(repeated > 0 && { text: keys.repeated(formatCount(repeated)) }) })
  }
  // The initial values of the form: a test of the channel reloads it, which must not look like a change.
  const [start] = useState(() => formOfChannel(channel))
  return (
    <ChannelForm start={start} stored={channel} onSave={update} onSaved={() => void navigate({ to: '/channels' })} />
  )
}
