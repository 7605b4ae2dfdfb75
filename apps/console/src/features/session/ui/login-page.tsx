'use no memo' // Every first visit downloads this file, see README: memo code would cost more than it saves here.

import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { EyeIcon, EyeOffIcon } from '../../../ui/sign-icons.tsx'
import { TOTP_LENGTH } from '../model/sign-in.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import { type SignInValues, useSignIn } from './use-sign-in.ts'

const EMPTY: SignInValues = { username: '', password: '', code: '' }

export function LoginPage() {
  const t = useTexts(sessionTexts)
  const { redirect_to } = useSearch({ from: '/login' })
  const { notice } = useRouter().state.location.state
  const { state, submit, backToPassword } = useSignIn(redirect_to)
  const [values, setValues] = useState(EMPTY)
  const form = useRef<HTMLFormElement>(null)
  const code = useRef<HTMLInputElement>(null)
  const totpStep = state.step === 'totp'
  useEffect(() => {
    if (totpStep) code.current?.focus()
  }, [totpStep])

  const change = (change: Partial<SignInValues>) => setValues({ ...values, ...change })
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const badField = await submit(values)
    if (badField !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${badField}]`)?.focus()
  }
  const back = () => {
    backToPassword()
    change({ code: '' })
  }

  return (
    <div className="mx-auto flex w-full max-w-md grow flex-col justify-center p-4 pb-16">
      <div className="border-line bg-surface rounded-xl border sm:px-2 sm:py-1">
        <Page title={t.title} width="narrow">
          {notice !== undefined && state.error === '' && <Notice tone="good">{notice}</Notice>}
          {state.error !== '' && <Notice tone="bad">{state.error}</Notice>}
          <form ref={form} noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
            <Field label={t.username} error={state.fieldErrors.username}>
              {(control) => (
                <TextInput
                  {...control}
                  name="username"
                  autoComplete="username"
                  autoCapitalize="none"
                  spellCheck={false}
                  disabled={totpStep}
                  value={values.username}
                  onChange={(event) => change({ username: event.target.value })}
                />
              )}
            </Field>
            <PasswordField
              value={values.password}
              error={state.fieldErrors.password}
              disabled={totpStep}
              onChange={(password) => change({ password })}
            />
            {totpStep && (
              <TotpField
                ref={code}
                value={values.code}
                error={state.fieldErrors.code}
                onChange={(text) => change({ code: text })}
              />
            )}
            <Button
              type="submit"
              variant="primary"
              grow
              busy={state.busy}
              disabled={totpStep && !state.busy && values.code.length !== TOTP_LENGTH}
            >
              {totpStep ? t.verifyTotp : state.busy ? t.submitting : t.submit}
            </Button>
            {totpStep && (
              <Button grow onClick={back}>
                {t.backToLogin}
              </Button>
            )}
          </form>
          <AccountLinks />
        </Page>
      </div>
    </div>
  )
}

interface ValueProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function PasswordField({ value, error, disabled, onChange }: ValueProps & { readonly disabled: boolean }) {
  const t = useTexts(sessionTexts)
  const [shown, setShown] = useState(false)
  return (
    <Field label={t.password} error={error}>
      {(control) => (
        <div className="flex items-center gap-1">
          <TextInput
            {...control}
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete="current-password"
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <IconButton
            label={shown ? t.hidePassword : t.showPassword}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </IconButton>
        </div>
      )}
    </Field>
  )
}

function TotpField({ ref, value, error, onChange }: ValueProps & { readonly ref: RefObject<HTMLInputElement | null> }) {
  const t = useTexts(sessionTexts)
  return (
    <Field label={t.totp} hint={t.totpHint} error={error}>
      {(control) => (
        <TextInput
          {...control}
          ref={ref}
          mono
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={TOTP_LENGTH}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
        />
      )}
    </Field>
  )
}

/** Ways to an account for those who cannot sign in, as far as their screens exist. */
function AccountLinks() {
  const t = useTexts(sessionTexts)
  const { routesByPath } = useRouter()
  const links = [
    { to: '/reset', text: t.forgotPassword },
    { to: '/register', text: t.createAccount },
  ].filter(({ to }) => to in routesByPath)
  if (links.length === 0) return null
  return (
    <p className="flex flex-wrap justify-between gap-3 text-sm">
      {links.map(({ to, text }) => (
        <Link key={to} to={to} className="text-accent hover:underline">
          {text}
        </Link>
      ))}
    </p>
  )
}
