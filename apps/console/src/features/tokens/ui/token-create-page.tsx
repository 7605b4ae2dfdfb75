import { createToken } from '@sluice/contract/routes/tokens'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { Page } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { createBody, NEW_TOKEN, type TokenFormValues } from '../model/token-form.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { TokenForm } from './token-form.tsx'

/** A new token; saved, it leads back to the list with the panel that shows how to use it. */
export function TokenCreatePage() {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const save = async (values: TokenFormValues) => {
    const reply = await call(createToken, { body: createBody(values) })
    if (!reply.ok) return failed(reply)
    await cache.invalidateQueries({ queryKey: ['tokens'] })
    toasts.show({ tone: 'good', title: t.created })
    await navigate({ to: '/tokens', search: { use: reply.data.id } })
    return ''
  }
  return (
    <Page title={t.createTitle} width="narrow">
      <TokenForm start={NEW_TOKEN} submitLabel={t.create} busyLabel={t.creating} onSave={save} />
    </Page>
  )
}
