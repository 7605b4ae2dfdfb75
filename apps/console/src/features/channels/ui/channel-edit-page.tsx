import type { Channel } from '@sluice/contract/channel'
import { updateChannel } from '@sluice/contract/routes/channels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { channelQuery } from '../api/channel-by-id.ts'
import { updateBody } from '../model/channel-body.ts'
import { type ChannelFormValues, formOfChannel } from '../model/channel-form.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { ChannelForm } from './channel-form.tsx'

/** A stored channel, prefilled. */
export function ChannelEditPage() {
  const t = useTexts(channelTexts)
  const { id } = useParams({ from: '/protected/channels/edit/$id' })
  const query = useQuery(channelQuery(useCall(), id))
  return (
    <Page title={t.editTitle} {...(query.data && { subtitle: query.data.name })} width="wide">
      <LoadFailure error={query.error} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-[48rem] w-full rounded-lg" />}
      {query.data !== undefined && <EditForm key={id} channel={query.data} />}
    </Page>
  )
}

function EditForm({ channel }: { channel: Channel }) {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const failed = useSubmitFailure()

  const update = async (values: ChannelFormValues): Promise<string> => {
    const reply = await call(updateChannel, { query: {}, body: updateBody(channel, values) })
    if (!reply.ok) return failed(reply)
    await cache.invalidateQueries({ queryKey: ['channels'] })
    toasts.show({ tone: 'good', title: t.updated })
    return ''
  }
  // What the form began with: a test of the channel loads it anew, which must not look like a change.
  const [start] = useState(() => formOfChannel(channel))
  return (
    <ChannelForm start={start} stored={channel} onSave={update} onSaved={() => void navigate({ to: '/channels' })} />
  )
}
