import { sendVerificationCode } from '@sluice/contract/routes/registration'
import { useState } from 'react'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { useAccessFailure } from './use-access-failure.ts'
import type { Challenge } from './use-bot-challenge.tsx'

interface CodeSending {
  readonly step: 'idle' | 'sending' | 'sent'
  /** Address that the code was sent to. */
  readonly email: string
  /** Why it could not be sent; empty otherwise. */
  readonly error: string
}

const IDLE: CodeSending = { step: 'idle', email: '', error: '' }

export function useVerificationCode(challenge: Challenge) {
  const t = useTexts(accessTexts)
  const call = useCall()
  const failureText = useAccessFailure()
  const [sending, setSending] = useState(IDLE)
  return {
    ...sending,
    send: async (email: string) => {
      setSending({ step: 'sending', email, error: '' })
      const reply = await call(sendVerificationCode, {
        query: { email, turnstile: challenge.token, purpose: 'register' },
      })
      challenge.renew(reply.ok ? undefined : reply)
      setSending(
        reply.ok ? { step: 'sent', email, error: '' } : { ...IDLE, error: failureText(reply, t.sendCodeFailed) },
      )
    },
  }
}
