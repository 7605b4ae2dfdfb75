import { login, loginByLink } from '@sluice/contract/routes/session'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { diagnostics } from '~/lib/diagnostics.ts'
import type { Failure } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { dropLinkToken, takeLinkToken } from '~/lib/session/sign-in-link.ts'
import { useSession } from '~/lib/session/use-session.ts'
import { asksForTotp, codeProblem, hasWellKnownPassword, targetAfterSignIn } from '../model/sign-in.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import type { Challenge } from './use-bot-challenge.tsx'

export interface SignInValues {
  readonly username: string
  readonly password: string
  readonly code: string
  /** The code is a recovery code. */
  readonly recovery: boolean
}

type Field = 'username' | 'password' | 'code'

export interface SignInState {
  readonly step: 'password' | 'totp'
  readonly busy: boolean
  /** An error about the form as a whole; empty if there is none. */
  readonly error: string
  readonly fieldErrors: Readonly<Partial<Record<Field, string>>>
}

const START: SignInState = { step: 'password', busy: false, error: '', fieldErrors: {} }

/**
 * The two steps of sign-in, the first of which a one-time link can replace. `submit` returns the first invalid field, so that the
 * form can put the focus there.
 */
export function useSignIn(redirectTo: unknown, challenge: Challenge) {
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

  const submit = async (values: SignInValues): Promise<Field | undefined> => {
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
