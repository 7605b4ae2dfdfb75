import { createToken } from '@sluice/contract/routes/tokens'
import { useNavigate } from '@tanstack/react-router'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSaved } from '~/ui/form/use-saved.ts'
import { Page } from '~/ui/page.tsx'
import { createBody, NEW_TOKEN, type TokenFormValues } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { TokenForm } from './token-form.tsx'

/** A new token; once saved, the list opens the panel that shows how to use it, if the server says which token it is. */
export function TokenCreatePage() {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('tokens')
  const save = async (values: TokenFormValues, release: () => void) => {
    const reply = await call(createToken, { body: createBody(values) })
    return saved(reply, { title: t.created }, ({ data }) => {
      release()
      return navigate({ to: '/tokens', ...(data !== undefined && { search: { use: data.id } }) })
    })
  }
  return (
    <Page title={t.createTitle} width="narrow">
      <TokenForm start={NEW_TOKEN} submitLabel={t.create} busyLabel={t.creating} onSave={save} />
    </Page>
  )
}
