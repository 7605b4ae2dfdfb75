import { resetPassword } from '@sluice/contract/routes/registration'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { Notice } from '~/ui/notice.tsx'
import { newPasswordSchema } from '../model/registration-form.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { AccessCard } from './access-card.tsx'
import { PasswordFields } from './password-fields.tsx'
import { useAccessFailure } from './use-access-failure.ts'

/** Opened by the mailed link; replaces a forgotten password. */
export function ResetCompletionPage() {
  const t = useTexts(accessTexts)
  const { email, token } = useSearch({ from: '/user/reset' })
  if (email !== '' && token !== '') return <NewPasswordForm email={email} token={token} />
  return <Navigate to="/login" replace state={{ problem: t.resetParameters }} />
}

function NewPasswordForm({ email, token }: { email: string; token: string }) {
  const t = useTexts(accessTexts)
  const call = useCall()
  const navigate = useNavigate()
  const failureText = useAccessFailure()
  const save = async ({ password }: { readonly password: string }) => {
    const reply = await call(resetPassword, { body: { email, token, password } })
    if (!reply.ok) return failureText(reply, t.passwordResetFailed)
    // The address contains a used token; no one should come back to it.
    await navigate({ to: '/login', replace: true, state: { notice: t.passwordReset } })
    return ''
  }
  const { form, error, busy, onSubmit } = useSchemaForm(newPasswordSchema(t), { password: '', password2: '' }, save)
  return (
    <AccessCard title={t.newPasswordTitle} subtitle={t.newPasswordFor(email)}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        {/* Lets password managers know whose password this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordFields
          control={form.control}
          names={['password', 'password2']}
          label={t.newPassword}
          known={[email.split('@')[0] ?? '']}
        />
        <Button type="submit" variant="primary" grow busy={busy}>
          {busy ? t.settingPassword : t.setPassword}
        </Button>
      </form>
    </AccessCard>
  )
}
