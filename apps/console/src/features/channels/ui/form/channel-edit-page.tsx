import type { Channel } from '@sluice/contract/channel'
import { updateChannel } from '@sluice/contract/routes/channels'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { channelQuery } from '~/features/channels/calls.ts'
import { updateBody } from '~/features/channels/model/channel-body.ts'
import { type ChannelFormValues, formOfChannel } from '~/features/channels/model/channel-form-values.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSaved } from '~/ui/form/form-shell.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ChannelForm } from './channel-form.tsx'

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
