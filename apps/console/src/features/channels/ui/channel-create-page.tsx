import { createChannel } from '@sluice/contract/routes/channels'
import { useNavigate } from '@tanstack/react-router'
import { formatCount } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { Page } from '../../../ui/page.tsx'
import { createBody } from '../model/channel-body.ts'
import { type ChannelFormValues, NEW_CHANNEL } from '../model/channel-form.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { ChannelForm } from './channel-form.tsx'

/** A new channel, or several of one kind: one for each key. */
export function ChannelCreatePage() {
  const t = useTexts(channelTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('channels')

  const create = async (values: ChannelFormValues): Promise<string> => {
    const reply = await call(createChannel, { body: createBody(values) })
    const count = reply.ok ? reply.data.length : 0
    return saved(reply, { title: t.created, ...(count > 1 && { text: t.createdMany(formatCount(count)) }) })
  }
  return (
    <Page title={t.createTitle} width="wide">
      <ChannelForm start={NEW_CHANNEL} onSave={create} onSaved={() => void navigate({ to: '/channels' })} />
    </Page>
  )
}
