import { createUser } from '@sluice/contract/routes/users'
import { useQueryClient } from '@tanstack/react-query'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { Page } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { createBody, type UserFormValues } from '../model/user-form.ts'
import { userTexts } from '../texts/user-texts.ts'
import { UserForm } from './user-form.tsx'

/** A new user with everything that can be said about one. */
export function UserCreatePage() {
  const t = useTexts(userTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const save = async (values: UserFormValues) => {
    const reply = await call(createUser, { body: createBody(values) })
    if (!reply.ok) return failed(reply)
    await cache.invalidateQueries({ queryKey: ['users'] })
    toasts.show({ tone: 'good', title: t.created })
    return ''
  }
  return (
    <Page title={t.createTitle} width="narrow">
      <UserForm onSave={save} />
    </Page>
  )
}
