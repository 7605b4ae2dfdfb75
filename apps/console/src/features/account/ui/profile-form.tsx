import { updateSelf } from '@sluice/contract/routes/account'
import type { User } from '@sluice/contract/user'
import { useQueryClient } from '@tanstack/react-query'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSession } from '../../../lib/session/use-session.ts'
import { TextField } from '../../../ui/form/form-fields.tsx'
import { FormSection, FormShell } from '../../../ui/form/form-shell.tsx'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { OWN_ACCOUNT } from '../api/own-account.ts'
import { accountBody, accountFormSchema, type AccountFormValues } from '../model/account-form.ts'
import { accountTexts } from '../texts/account-texts.ts'

/** Names, email and password of the own account. */
export function ProfileForm({ account }: { account: User }) {
  const t = useTexts(accountTexts)
  const call = useCall()
  const cache = useQueryClient()
  const session = useSession()
  const toasts = useToasts()
  const failed = useSubmitFailure(t.failed)

  const save = async (values: AccountFormValues) => {
    const reply = await call(updateSelf, { body: accountBody(values) })
    if (!reply.ok) return failed(reply)
    const user = session.get()
    if (user !== undefined) {
      const stillFirst = user.password_change_required === true && values.password === ''
      const { username, display_name } = values
      session.signIn({ ...user, username, display_name, password_change_required: stillFirst })
    }
    form.reset({ ...values, password: '' })
    toasts.show({ tone: 'good', title: t.saved })
    await cache.invalidateQueries({ queryKey: OWN_ACCOUNT })
    return ''
  }
  const { form, error, busy, onSubmit } = useSchemaForm(
    accountFormSchema(t),
    { username: account.username, display_name: account.display_name, email: account.email, password: '' },
    save,
  )
  const { control } = form
  return (
    <FormShell onSubmit={onSubmit} error={error} busy={busy} submitLabel={busy ? t.saving : t.save}>
      <FormSection title={t.profile} text={t.profileText}>
        <TextField control={control} name="username" label={t.username} autoComplete="username" spellCheck={false} />
        <TextField control={control} name="display_name" label={t.displayName} autoComplete="nickname" />
        <TextField control={control} name="email" label={t.email} type="email" autoComplete="email" />
      </FormSection>
      <FormSection title={t.passwordSection} text={t.passwordText}>
        <TextField control={control} name="password" label={t.password} type="password" autoComplete="new-password" />
      </FormSection>
    </FormShell>
  )
}
