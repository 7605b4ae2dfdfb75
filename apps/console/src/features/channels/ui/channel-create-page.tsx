import { createChannel } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { formatCount } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { Page } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { createBody } from '../model/channel-body.ts'
import { type ChannelFormValues, NEW_CHANNEL } from '../model/channel-form.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { ChannelForm } from './channel-form.tsx'

/** A new channel, or several of one kind: one for each key. */
export function ChannelCreatePage() {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const failed = useSubmitFailure()

  const create = async (values: ChannelFormValues): Promise<string> => {
    const reply = await call(createChannel, { body: createBody(values) })
    if (!reply.ok) return failed(reply)
    await cache.invalidateQueries({ queryKey: ['channels'] })
    const count = reply.data.length
    toasts.show({ tone: 'good', title: t.created, ...(count > 1 && { text: t.createdMany(formatCount(count)) }) })
    return ''
  }
  return (
    <Page title={t.createTitle} width="wide">
      <ChannelForm start={NEW_CHANNEL} onSave={create} onSaved={() => void navigate({ to: '/channels' })} />
    </Page>
  )
}
