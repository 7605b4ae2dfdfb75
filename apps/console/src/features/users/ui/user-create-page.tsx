import { createUser } from '@sluice/contract/routes/users'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSaved } from '~/ui/form/use-saved.ts'
import { Page } from '~/ui/page.tsx'
import { createBody, type UserFormValues } from '../model/user-form-values.ts'
import { userTexts } from '../texts/user-texts.ts'
import { UserForm } from './user-form.tsx'

/** A new user, with all fields. */
export function UserCreatePage() {
  const t = useTexts(userTexts)
  const call = useCall()
  const saved = useSaved('users')
  const save = async (values: UserFormValues) => {
    const reply = await call(createUser, { body: createBody(values) })
    return saved(reply, { title: t.created })
  }
  return (
    <Page title={t.createTitle} width="narrow">
      <UserForm onSave={save} />
    </Page>
  )
}
