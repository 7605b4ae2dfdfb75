import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
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
import { type SignInValues, useSignIn } from './use-sign-in.ts'

const ProviderButtons = lazy(async () => ({ default: (await import('./provider-buttons.tsx')).ProviderButtons }))

const EMPTY: SignInValues = { username: '', password: '', code: '', recovery: false }

export function LoginPage() {
  const t = useTexts(sessionTexts)
  const { redirect_to } = useSearch({ from: '/login' })
  const { notice, problem, ended } = useRouter().state.location.state
  const { password_login } = useSystemStatus()
  const challenge = useBotChallenge()
  const { state, submit, enter, refuse, backToPassword } = useSignIn(redirect_to, challenge)
  const [values, setValues] = useState(EMPTY)
  const { shown, toggle } = useShownPasswords()
  const form = useRef<HTMLFormElement>(null)
  const totpStep = state.step === 'totp'
  const wholeCode = isWholeCode(values.code, values.recovery)

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
      {state.error !== '' ? (
        <Notice tone="bad">{state.error}</Notice>
      ) : problem !== undefined ? (
        <Notice tone="bad">{problem}</Notice>
      ) : notice !== undefined ? (
        <Notice tone="good">{notice}</Notice>
      ) : (
        ended === true && <Notice tone="info">{t.sessionEnded}</Notice>
      )}
      {!password_login && <Notice tone="info">{t.passwordsOff}</Notice>}
      <form ref={form} noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
        <Field label={t.username} error={state.fieldErrors.username}>
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="username webauthn"
              autoCapitalize="none"
              spellCheck={false}
              disabled={totpStep}
              value={values.username}
              onChange={(event) => change({ username: event.target.value })}
            />
          )}
        </Field>
        <Field label={t.password} error={state.fieldErrors.password}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              disabled={totpStep}
              shown={shown}
              onToggle={toggle}
              value={values.password}
              onChange={(event) => change({ password: event.target.value })}
            />
          )}
        </Field>
        {totpStep && (
          <TotpField
            value={values.code}
            error={state.fieldErrors.code}
            recovery={values.recovery}
            onChange={(code, recovery) => change({ code, recovery })}
          />
        )}
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
          disabled={!state.busy && (challenge.open || (totpStep && !wholeCode))}
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
      {!totpStep && (
        <>
          <AccountLinks />
          <div className="border-line flex flex-col gap-2 border-t pt-5 empty:hidden">
            <PasskeyButton onUser={enter} onRefused={refuse} />
            <OtherSignInMethods redirectTo={redirect_to} />
          </div>
        </>
      )}
    </AccessCard>
  )
}

/** Alternatives for visitors who cannot sign in. */
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

/** Sign-in providers, whose code loads only if there are any. */
function OtherSignInMethods({ redirectTo }: { redirectTo: string | undefined }) {
  const { github_oauth, lark_client_id, oidc, wechat_login } = useSystemStatus()
  if (!github_oauth && lark_client_id === '' && !oidc && !wechat_login) return null
  return (
    <Suspense>
      <ProviderButtons redirectTo={redirectTo} />
    </Suspense>
  )
}
