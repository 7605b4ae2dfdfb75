import { createChannel } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { Page } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { createBody } from '../model/channel-body.ts'
import { type ChannelFormValues, NEW_CHANNEL } from '../model/channel-form.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { ChannelForm, type Saved } from './channel-form.tsx'
import { useToldChannelTest } from './use-channel-test.ts'

/** A new channel. Saved, it leads to the list; saved and tested, to the list when it works and to its form when not. */
export function ChannelCreatePage() {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const test = useToldChannelTest()

  const create = async (values: ChannelFormValues, next: (ids: readonly number[]) => Promise<void>): Promise<Saved> => {
    const reply = await call(createChannel, { body: createBody(values) })
    if (!reply.ok) return { ok: false, error: failed(reply) }
    await cache.invalidateQueries({ queryKey: ['channels'] })
    toasts.show({ tone: 'good', title: t.created })
    return { ok: true, next: () => next(reply.data) }
  }
  const toList = () => navigate({ to: '/channels' })
  return (
    <Page title={t.createTitle} width="wide">
      <ChannelForm
        start={NEW_CHANNEL}
        isNew
        onSave={(values) => create(values, toList)}
        onSaveAndTest={(values) =>
          create(values, async ([id]) => {
            // Several keys make several channels of one kind; the first speaks for them.
            const result = id === undefined ? undefined : await test({ id, name: values.name })
            if (id === undefined || result?.ok === true) await toList()
            else await navigate({ to: '/channels/edit/$id', params: { id }, replace: true })
          })
        }
      />
    </Page>
  )
}
