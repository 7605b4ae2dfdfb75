import { createChannel } from '@sluice/contract/routes/channels'
import { useNavigate } from '@tanstack/react-router'
import { createBody } from '~/features/channels/model/channel-body.ts'
import { type ChannelFormValues, NEW_CHANNEL } from '~/features/channels/model/channel-form-values.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSaved } from '~/ui/form/form-shell.tsx'
import { Page } from '~/ui/page.tsx'
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
