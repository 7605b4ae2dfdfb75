import { sendVerificationCode } from '@sluice/contract/routes/registration'
import { useState } from 'react'
import { type Control } from 'react-hook-form'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { AccountFormValues } from '../model/account-form.ts'
import { accountTexts } from '../texts/account-texts.ts'

interface EmailCodeFieldProps {
  readonly control: Control<AccountFormValues, unknown, AccountFormValues>
  readonly email: string
  /** Whether the address looks like an email address. */
  readonly valid: boolean
}

/** The code that verifies a new address, and the button that mails it. */
export function EmailCodeField({ control, email, valid }: EmailCodeFieldProps) {
  const t = useTexts(accountTexts)
  const call = useCall()
  const toasts = useToasts()
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const send = async () => {
    setState('sending')
    const reply = await call(sendVerificationCode, { query: { email } })
    setState(reply.ok ? 'sent' : 'idle')
    if (reply.ok) toasts.show({ tone: 'good', title: t.codeOnItsWay(email) })
    else if (isWorthTelling(reply)) toasts.show({ tone: 'bad', title: reply.message || t.sendFailed })
  }
  return (
    <TextField
      control={control}
      name="verification_code"
      label={t.verificationCode}
      hint={t.verificationHint}
      autoComplete="one-time-code"
      spellCheck={false}
      mono
      aside={
        <Button size="small" busy={state === 'sending'} disabled={!valid} onClick={() => void send()}>
          {{ idle: t.sendCode, sending: t.sendingCode, sent: t.codeSent }[state]}
        </Button>
      }
    />
  )
}
