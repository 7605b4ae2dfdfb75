import { sendVerificationCode } from '@sluice/contract/routes/registration'
import { useId, useState } from 'react'
import type { Control } from 'react-hook-form'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { isSimpleAddress, type RegistrationValues } from '../model/registration-form.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { useAccessFailure } from './use-access-failure.ts'
import type { Challenge } from './use-bot-challenge.tsx'

interface EmailProofProps {
  readonly control: Control<RegistrationValues, unknown, RegistrationValues>
  readonly email: string
  readonly challenge: Challenge
}

export function EmailProofFields({ control, email, challenge }: EmailProofProps) {
  const t = useTexts(accessTexts)
  const { step, email: sentTo, error, send } = useVerificationCode(challenge)
  const said = useId()
  const address = email.trim()
  const valid = isSimpleAddress(address)
  // The status of a code sent to another address does not apply to this one.
  const current = sentTo === address ? step : step === 'sending' ? 'sending' : 'idle'
  return (
    <>
      <TextField
        control={control}
        name="email"
        label={t.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex flex-col gap-1.5">
        <TextField
          control={control}
          name="verification_code"
          label={t.verificationCode}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          mono
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            busy={current === 'sending'}
            disabled={current !== 'sending' && (!valid || challenge.open)}
            aria-describedby={said}
            onClick={() => void send(address)}
          >
            {{ idle: t.sendCode, sending: t.sendingCode, sent: t.sentCode }[current]}
          </Button>
          <p id={said} role="status" className={error === '' ? 'text-muted text-xs' : 'text-bad text-sm'}>
            {error !== ''
              ? error
              : current === 'sent'
                ? t.codeSentTo(address)
                : address !== '' && !valid && t.badEmailForCode}
          </p>
        </div>
      </div>
    </>
  )
}

interface CodeSending {
  readonly step: 'idle' | 'sending' | 'sent'
  /** Address that the code was sent to. */
  readonly email: string
  readonly error: string
}

const IDLE: CodeSending = { step: 'idle', email: '', error: '' }

function useVerificationCode(challenge: Challenge) {
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
