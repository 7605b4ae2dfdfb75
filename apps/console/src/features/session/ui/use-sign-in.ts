import { login, loginByLink } from '@sluice/contract/routes/session'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { diagnostics } from '~/lib/diagnostics.ts'
import { type Failure, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { dropLinkToken, takeLinkToken } from '~/lib/session/redirect-target.ts'
import { useSession } from '~/lib/session/session.ts'
import { asksForTotp, codeProblem, hasWellKnownPassword, targetAfterSignIn } from '../model/sign-in.ts'
import { type en, sessionTexts } from '../texts/session-texts.ts'
import type { Challenge } from './use-bot-challenge.tsx'

export interface SignInValues {
  readonly username: string
  readonly password: string
  readonly code: string
  readonly recovery: boolean
}

const FIELDS = ['username', 'password', 'code'] as const
type SignInField = (typeof FIELDS)[number]
type FieldErrors = Readonly<Partial<Record<SignInField, string>>>

export interface SignInState {
  readonly step: 'password' | 'totp'
  readonly busy: boolean
  /** An error about the form as a whole; otherwise empty. */
  readonly error: string
  readonly fieldErrors: FieldErrors
}

const START: SignInState = { step: 'password', busy: false, error: '', fieldErrors: {} }

/**
 * A one-time link can replace the first of the two steps. `submit` returns the first invalid field, so that the form can focus it.
 */
export function useSignIn(redirectTo: unknown, challenge: Challenge) {
  const t = useTexts(sessionTexts)
  const call = useCall()
  const enter = useEnter(redirectTo)
  const [state, setState] = useState<SignInState>(START)
  /** Empty unless the second step belongs to a link. */
  const [link, setLink] = useState('')
  const { step } = state

  const follow = async (token: string, code: string) => {
    setState({ ...START, step, busy: true })
    const reply = await call(loginByLink, { body: { token, totp_code: code } })
    const continues = !reply.ok && asksForTotp(reply)
    setLink(continues ? token : '')
    if (!continues) dropLinkToken()
    if (reply.ok) await enter(reply.data)
    else setState({ ...START, ...refused(reply, step, t) })
  }
  useLinkToken((token) => follow(token, ''))

  const signIn = async ({ username, password, code }: SignInValues) => {
    setState({ ...START, step, busy: true })
    const body = step === 'totp' ? { username, password, totp_code: code } : { username, password }
    const reply = await call(login, { query: { turnstile: challenge.token }, body })
    if (!reply.ok) {
      // The second step reuses the challenge token of the first; any other attempt has used it up.
      if (!asksForTotp(reply)) challenge.renew(reply)
      return setState({ ...START, step, ...refused(reply, step, t) })
    }
    const mustChangePassword = hasWellKnownPassword(reply.data, { username, password })
    if (mustChangePassword) diagnostics.warn('root still has the well-known default password. Change it now.')
    await enter(reply.data, mustChangePassword)
  }

  return {
    state,
    submit: async (values: SignInValues): Promise<SignInField | undefined> => {
      const fieldErrors = fieldErrorsOf(values, step, link === '', t)
      const firstBad = FIELDS.find((field) => fieldErrors[field] !== undefined)
      if (firstBad !== undefined || challenge.open) setState({ ...state, error: '', fieldErrors })
      else await (link === '' ? signIn(values) : follow(link, values.code))
      return firstBad
    },
    /** For a user who authenticated in another way. */
    enter,
    /** Reports why another method did not work; no failure means that the visitor presented no passkey. */
    refuse: (failure: Failure | undefined) =>
      setState({ ...START, ...(failure === undefined ? { error: t.passkeyUnused } : refused(failure, step, t)) }),
    backToPassword: () => {
      setLink('')
      dropLinkToken()
      setState(START)
      if (challenge.token !== '') challenge.renew()
    },
  }
}

/** Starts the session and opens the page that the visitor came for, or the one that changes the password. */
function useEnter(redirectTo: unknown) {
  const session = useSession()
  const navigate = useNavigate()
  return async (user: SignedInUser, mustChangePassword = user.password_change_required === true) => {
    session.signIn(user)
    await navigate({ href: targetAfterSignIn(mustChangePassword, redirectTo), replace: true })
  }
}

function useLinkToken(follow: (token: string) => Promise<void>): void {
  const begin = useEffectEvent(follow)
  useEffect(() => {
    const token = takeLinkToken(window)
    if (token === '') return
    // Not within the effect itself: a link works only once, and React may run effects twice.
    const timer = setTimeout(() => void begin(token))
    return () => clearTimeout(timer)
  }, [])
}

type Texts = Translation<typeof en>

/** A sign-in by link needs neither name nor password. */
function fieldErrorsOf(
  values: SignInValues,
  step: SignInState['step'],
  asksForPassword: boolean,
  t: Texts,
): FieldErrors {
  const { username, password, code, recovery } = values
  const problem = step === 'totp' ? codeProblem(code, recovery) : undefined
  return {
    ...(asksForPassword && username === '' && { username: t.usernameRequired }),
    ...(asksForPassword && password === '' && { password: t.passwordRequired }),
    ...(problem !== undefined && { code: t[problem] }),
  }
}

function refused(failure: Failure, step: SignInState['step'], t: Texts): Partial<SignInState> {
  if (failure.kind === 'timeout') return { error: t.timeout }
  if (failure.kind === 'network') return { error: t.network }
  if (!asksForTotp(failure)) return { error: failure.message === '' ? t.failed : failure.message }
  // The first time, the server only asks for the code; after that its message is about the code that was sent.
  return { step: 'totp', error: step === 'totp' ? failure.message : '' }
}
