import { login, loginByLink } from '@sluice/contract/routes/session'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { Link, useRouter, useSearch, useNavigate } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useRef, useState, useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { diagnostics } from '~/lib/diagnostics.ts'
import { type Failure, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { dropLinkToken, takeLinkToken } from '~/lib/session/redirect-target.ts'
import { useSession } from '~/lib/session/session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { Notice } from '~/ui/notice.tsx'
import { isWholeCode, asksForTotp, codeProblem, hasWellKnownPassword, targetAfterSignIn } from '../model/sign-in.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import { AccessCard } from './access-card.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { PasswordInput, useShownPasswords } from './password-input.tsx'
import { TotpField } from './totp-field.tsx'
import { useBotChallenge, type Challenge } from './use-bot-challenge.tsx'

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

interface SignInValues {
  readonly username: string
  readonly password: string
  readonly code: string
  /** The code is a recovery code. */
  readonly recovery: boolean
}

type SignInField = 'username' | 'password' | 'code'

export interface SignInState {
  readonly step: 'password' | 'totp'
  readonly busy: boolean
  /** An error about the form as a whole; empty if there is none. */
  readonly error: string
  readonly fieldErrors: Readonly<Partial<Record<SignInField, string>>>
}

const START: SignInState = { step: 'password', busy: false, error: '', fieldErrors: {} }

/**
 * The two steps of sign-in, the first of which a one-time link can replace. `submit` returns the first invalid field, so that the
 * form can put the focus there.
 */
function useSignIn(redirectTo: unknown, challenge: Challenge) {
  const t = useTexts(sessionTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const [state, setState] = useState<SignInState>(START)
  /** Empty unless the second step belongs to a link. */
  const [link, setLink] = useState('')
  const totpStep = state.step === 'totp'

  const check = ({ username, password, code, recovery }: SignInValues): SignInState['fieldErrors'] => {
    const problem = totpStep ? codeProblem(code, recovery) : undefined
    return {
      ...(link === '' && username === '' && { username: t.usernameRequired }),
      ...(link === '' && password === '' && { password: t.passwordRequired }),
      ...(problem !== undefined && { code: t[problem] }),
    }
  }

  const refused = (failure: Failure): Partial<SignInState> => {
    if (failure.kind === 'timeout') return { error: t.timeout }
    if (failure.kind === 'network') return { error: t.network }
    if (!asksForTotp(failure)) return { error: failure.message === '' ? t.failed : failure.message }
    // The first time, the server only asks for the code; after that its message is about the code that was sent.
    return { step: 'totp', error: totpStep ? failure.message : '' }
  }

  const enter = async (user: SignedInUser, mustChangePassword: boolean) => {
    session.signIn(user)
    await navigate({ href: targetAfterSignIn(mustChangePassword, redirectTo), replace: true })
  }

  const follow = async (token: string, code: string) => {
    setState({ ...START, step: totpStep ? 'totp' : 'password', busy: true })
    const reply = await call(loginByLink, { body: { token, totp_code: code } })
    const continues = !reply.ok && asksForTotp(reply)
    setLink(continues ? token : '')
    if (!continues) dropLinkToken()
    if (reply.ok) await enter(reply.data, reply.data.password_change_required === true)
    else setState({ ...START, ...refused(reply) })
  }
  const begin = useEffectEvent((token: string) => follow(token, ''))
  useEffect(() => {
    const token = takeLinkToken(window)
    if (token === '') return
    // Not within the effect itself: a link works only once, and React may run effects twice.
    const timer = setTimeout(() => void begin(token))
    return () => clearTimeout(timer)
  }, [])

  const submit = async (values: SignInValues): Promise<SignInField | undefined> => {
    const fieldErrors = check(values)
    const firstBad = (['username', 'password', 'code'] as const).find((field) => fieldErrors[field] !== undefined)
    if (firstBad !== undefined || challenge.open) {
      setState({ ...state, error: '', fieldErrors })
      return firstBad
    }
    const { username, password, code } = values
    if (link !== '') {
      await follow(link, code)
      return undefined
    }
    setState({ ...state, busy: true, error: '', fieldErrors: {} })
    const body = totpStep ? { username, password, totp_code: code } : { username, password }
    const reply = await call(login, { query: { turnstile: challenge.token }, body })
    if (!reply.ok) {
      // The second step reuses the challenge token of the first; any other attempt has used it up.
      if (!asksForTotp(reply)) challenge.renew(reply)
      setState({ ...state, busy: false, fieldErrors: {}, error: '', ...refused(reply) })
      return undefined
    }
    const mustChangePassword = hasWellKnownPassword(reply.data, values)
    if (mustChangePassword) diagnostics.warn('root still has the well-known default password. Change it now.')
    await enter(reply.data, mustChangePassword)
    return undefined
  }

  return {
    state,
    submit,
    /** For a user who authenticated in another way. */
    enter: (user: SignedInUser) => enter(user, user.password_change_required === true),
    /** Reports why another method did not work; without a failure the visitor presented no passkey. */
    refuse: (failure: Failure | undefined) =>
      setState({ ...START, ...(failure === undefined ? { error: t.passkeyUnused } : refused(failure)) }),
    backToPassword: () => {
      setLink('')
      dropLinkToken()
      setState(START)
      if (challenge.token !== '') challenge.renew()
    },
  }
}
