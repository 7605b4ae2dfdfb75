import { register } from '@sluice/contract/routes/registration'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { Notice } from '~/ui/notice.tsx'
import { offeredProviders } from '../model/providers.ts'
import { registrationBody, registrationSchema, type RegistrationValues } from '../model/registration-form.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import { AccessCard } from './access-card.tsx'
import { EmailProofFields } from './email-proof-fields.tsx'
import { PasswordFields } from './password-fields.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { useAccessFailure } from './use-access-failure.ts'
import { type Challenge, useBotChallenge } from './use-bot-challenge.tsx'

export function RegisterPage() {
  const t = useTexts(accessTexts)
  const { aff } = useSearch({ from: '/register' })
  const status = useSystemStatus()
  const hasProviders = offeredProviders(status).length > 0
  return (
    <AccessCard title={t.registerTitle}>
      {!status.register_enabled && <Notice tone="info">{t.registerClosed}</Notice>}
      {status.register_enabled && !status.password_register && <Notice tone="info">{t.registerByProvider}</Notice>}
      {status.register_enabled && status.password_register && <RegistrationForm aff={aff} />}
      {status.register_enabled && hasProviders && (
        <div className="border-line border-t pt-5">
          <ProviderButtons aff={aff} />
        </div>
      )}
      <p className="text-sm">
        <Link to="/login" className="text-accent hover:underline">
          {t.haveAccount}
        </Link>
      </p>
    </AccessCard>
  )
}

const REFUSED_FIELDS: Readonly<Record<string, 'username' | 'email' | 'verification_code'>> = {
  name_taken: 'username',
  email_taken: 'email',
  email_domain_not_allowed: 'email',
  email_code_wrong: 'verification_code',
}

const EMPTY = { username: '', password: '', password2: '', email: '', verification_code: '' }

function RegistrationForm({ aff }: { aff: string }) {
  const t = useTexts(accessTexts)
  const { email_verification } = useSystemStatus()
  const challenge = useBotChallenge()
  const [leavesEmailOut, setLeavesEmailOut] = useState(false)
  // Where addresses are verified, registration requires one.
  const withEmail = email_verification || !leavesEmailOut
  const { form, error, busy, onSubmit } = useRegistration(aff, withEmail, challenge)
  const { control } = form
  const username = useWatch({ control, name: 'username' })
  const email = useWatch({ control, name: 'email' })

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== '' && <Notice tone="bad">{error}</Notice>}
      <TextField
        control={control}
        name="username"
        label={t.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordFields
        control={control}
        names={['password', 'password2']}
        label={t.password}
        known={[username, email.split('@')[0] ?? '']}
      />
      {withEmail && <EmailProofFields control={control} email={email} challenge={challenge} />}
      {!email_verification && (
        <div className="text-sm">
          <button
            type="button"
            className="text-accent hover:underline"
            onClick={() => setLeavesEmailOut(!leavesEmailOut)}
          >
            {leavesEmailOut ? t.withEmail : t.withoutEmail}
          </button>
          {leavesEmailOut && <p className="text-muted text-xs">{t.withoutEmailHint}</p>}
        </div>
      )}
      <TextField control={control} name="aff_code" label={t.affCode} hint={t.affHint} autoComplete="off" mono />
      {challenge.widget}
      <RegisterButton open={challenge.open} busy={busy} />
    </form>
  )
}

/** A refusal about one field is shown at that field. */
function useRegistration(aff: string, withEmail: boolean, challenge: Challenge) {
  const t = useTexts(accessTexts)
  const call = useCall()
  const navigate = useNavigate()
  const failureText = useAccessFailure()
  const { form, error, busy, submit } = useSchemaForm(
    registrationSchema(t, withEmail),
    { ...EMPTY, aff_code: aff },
    nothing,
  )
  const save = async (values: RegistrationValues) => {
    const body = registrationBody(values, withEmail)
    const reply = await call(register, { query: { turnstile: challenge.token }, body })
    if (reply.ok) {
      await navigate({ to: '/login', state: { notice: t.registered } })
      return ''
    }
    challenge.renew(reply)
    const message = failureText(reply, t.registerFailed)
    const field = REFUSED_FIELDS[reply.code]
    if (field === undefined) return message
    form.setError(field, { message }, { shouldFocus: true })
    return ''
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!challenge.open) submit(save)
  }
  return { form, error, busy, onSubmit }
}

function RegisterButton({ open, busy }: { open: boolean; busy: boolean }) {
  const t = useTexts(accessTexts)
  const { challengeOpen } = useTexts(sessionTexts)
  return (
    <>
      {open && (
        <p id="challenge" className="text-muted text-sm">
          {challengeOpen}
        </p>
      )}
      <Button
        type="submit"
        variant="primary"
        grow
        busy={busy}
        disabled={open && !busy}
        aria-describedby={open ? 'challenge' : undefined}
      >
        {busy ? t.registering : t.register}
      </Button>
    </>
  )
}

/** Submitting uses `submit`, which has access to the form. */
const nothing = () => Promise.resolve('')
