'use no memo' // Every first visit downloads this file, see README: memo code would cost more than it saves here.

import { login } from '@sluice/contract/routes/session'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { diagnostics } from '../../../lib/diagnostics.ts'
import type { Failure } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSession } from '../../../lib/session/use-session.ts'
import { asksForTotp, hasWellKnownPassword, targetAfterSignIn, TOTP_LENGTH } from '../model/sign-in.ts'
import { sessionTexts } from '../texts/session-texts.ts'

export interface SignInValues {
  readonly username: string
  readonly password: string
  readonly code: string
}

type Field = 'username' | 'password' | 'code'

export interface SignInState {
  readonly step: 'password' | 'totp'
  readonly busy: boolean
  /** What went wrong as a whole; empty when nothing did. */
  readonly error: string
  readonly fieldErrors: Readonly<Partial<Record<Field, string>>>
}

const START: SignInState = { step: 'password', busy: false, error: '', fieldErrors: {} }

/** The two steps of sign-in. `submit` answers the first bad field, so that the form can put the focus there. */
export function useSignIn(redirectTo: unknown) {
  const t = useTexts(sessionTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const [state, setState] = useState<SignInState>(START)

  const check = (values: SignInValues): SignInState['fieldErrors'] => ({
    ...(values.username === '' && { username: t.usernameRequired }),
    ...(values.password === '' && { password: t.passwordRequired }),
    ...(state.step === 'totp' && values.code === '' && { code: t.totpRequired }),
    ...(state.step === 'totp' && values.code !== '' && values.code.length !== TOTP_LENGTH && { code: t.totpLength }),
  })

  const refused = (failure: Failure): Partial<SignInState> => {
    if (failure.kind === 'timeout') return { error: t.timeout }
    if (failure.kind === 'network') return { error: t.network }
    if (!asksForTotp(failure)) return { error: failure.message === '' ? t.failed : failure.message }
    // The first time the server only asks for the code; from then on its message is about the code that was sent.
    return { step: 'totp', error: state.step === 'totp' ? failure.message : '' }
  }

  const submit = async (values: SignInValues): Promise<Field | undefined> => {
    const fieldErrors = check(values)
    const firstBad = (['username', 'password', 'code'] as const).find((field) => fieldErrors[field] !== undefined)
    if (firstBad !== undefined) {
      setState({ ...state, error: '', fieldErrors })
      return firstBad
    }
    setState({ ...state, busy: true, error: '', fieldErrors: {} })
    const { username, password, code } = values
    const body = state.step === 'totp' ? { username, password, totp_code: code } : { username, password }
    const reply = await call(login, { body })
    if (!reply.ok) {
      setState({ ...state, busy: false, fieldErrors: {}, error: '', ...refused(reply) })
      return undefined
    }
    const mustChangePassword = hasWellKnownPassword(reply.data, values)
    if (mustChangePassword) diagnostics.warn('root still has the well-known default password. Change it now.')
    session.signIn(reply.data)
    await navigate({ href: targetAfterSignIn(mustChangePassword, redirectTo), replace: true })
    return undefined
  }

  return { state, submit, backToPassword: () => setState(START) }
}
