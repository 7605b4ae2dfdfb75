import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type ComponentProps, type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { Notice } from '~/ui/notice.tsx'
import { isWholeCode } from '../model/sign-in.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import { AccessCard } from './access-card.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { PasswordInput, useShownPasswords } from './password-input.tsx'
import { TotpField } from './totp-field.tsx'
import { useBotChallenge } from './use-bot-challenge.tsx'
import { type SignInState, type SignInValues, useSignIn } from './use-sign-in.ts'

const ProviderButtons = lazy(async () => ({ default: (await import('./provider-buttons.tsx')).ProviderButtons }))

const EMPTY: SignInValues = { username: '', password: '', code: '', recovery: false }

export function LoginPage() {
  const t = useTexts(sessionTexts)
  const { redirect_to } = useSearch({ from: '/login' })
  const { password_login } = useSystemStatus()
  const challenge = useBotChallenge()
  const { state, submit, enter, refuse, backToPassword } = useSignIn(redirect_to, challenge)
  const [values, setValues] = useState(EMPTY)
  const form = useRef<HTMLFormElement>(null)
  const totpStep = state.step === 'totp'

  const change = (change: Partial<SignInValues>) => setValues({ ...values, ...change })
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const badField = await submit(values)
    if (badField !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${badField}]`)?.focus()
  }
  const back = () => {
    flushSync(() => {
      backToPassword()
      change({ code: '', recovery: false })
    })
    form.current?.querySelector<HTMLInputElement>('[name=username]')?.focus()
  }

  return (
    <AccessCard title={t.title}>
      <Announcement error={state.error} />
      {!password_login && <Notice tone="info">{t.passwordsOff}</Notice>}
      <form ref={form} noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
        <CredentialFields values={values} state={state} onChange={change} />
        {challenge.widget}
        {challenge.open && (
          <p id="challenge" className="text-muted text-sm">
            {t.challengeOpen}
          </p>
        )}
        <Button
          type="submit"
          variant="primary"
          grow
          busy={state.busy}
          disabled={!state.busy && (challenge.open || (totpStep && !isWholeCode(values.code, values.recovery)))}
          aria-describedby={challenge.open ? 'challenge' : undefined}
        >
          {totpStep ? t.verifyTotp : state.busy ? t.submitting : t.submit}
        </Button>
        {totpStep && (
          <Button grow onClick={back}>
            {t.backToLogin}
          </Button>
        )}
      </form>
      {!totpStep && <Alternatives redirectTo={redirect_to} onUser={enter} onRefused={refuse} />}
    </AccessCard>
  )
}

function Announcement({ error }: { error: string }) {
  const t = useTexts(sessionTexts)
  const { notice, problem, ended } = useRouter().state.location.state
  if (error !== '') return <Notice tone="bad">{error}</Notice>
  if (problem !== undefined) return <Notice tone="bad">{problem}</Notice>
  if (notice !== undefined) return <Notice tone="good">{notice}</Notice>
  return ended === true && <Notice tone="info">{t.sessionEnded}</Notice>
}

interface CredentialFieldsProps {
  readonly values: SignInValues
  readonly state: SignInState
  readonly onChange: (change: Partial<SignInValues>) => void
}

function CredentialFields({ values, state: { step, fieldErrors }, onChange }: CredentialFieldsProps) {
  const t = useTexts(sessionTexts)
  const { shown, toggle } = useShownPasswords()
  const totpStep = step === 'totp'
  return (
    <>
      <Field label={t.username} error={fieldErrors.username}>
        {(control) => (
          <TextInput
            {...control}
            name="username"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            disabled={totpStep}
            value={values.username}
            onChange={(event) => onChange({ username: event.target.value })}
          />
        )}
      </Field>
      <Field label={t.password} error={fieldErrors.password}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="current-password"
            disabled={totpStep}
            shown={shown}
            onToggle={toggle}
            value={values.password}
            onChange={(event) => onChange({ password: event.target.value })}
          />
        )}
      </Field>
      {totpStep && (
        <TotpField
          value={values.code}
          error={fieldErrors.code}
          recovery={values.recovery}
          onChange={(code, recovery) => onChange({ code, recovery })}
        />
      )}
    </>
  )
}

interface AlternativesProps extends ComponentProps<typeof PasskeyButton> {
  readonly redirectTo: string | undefined
}

function Alternatives({ redirectTo, onUser, onRefused }: AlternativesProps) {
  const { github_oauth, lark_client_id, oidc, wechat_login } = useSystemStatus()
  return (
    <>
      <AccountLinks />
      <div className="border-line flex flex-col gap-2 border-t pt-5 empty:hidden">
        <PasskeyButton onUser={onUser} onRefused={onRefused} />
        {(github_oauth || lark_client_id !== '' || oidc || wechat_login) && (
          <Suspense>
            <ProviderButtons redirectTo={redirectTo} />
          </Suspense>
        )}
      </div>
    </>
  )
}

function AccountLinks() {
  const t = useTexts(sessionTexts)
  const { register_enabled } = useSystemStatus()
  return (
    <p className="flex flex-wrap justify-between gap-3 text-sm">
      <Link to="/reset" className="text-accent hover:underline">
        {t.forgotPassword}
      </Link>
      {register_enabled && (
        <Link to="/register" className="text-accent hover:underline">
          {t.createAccount}
        </Link>
      )}
    </p>
  )
}
