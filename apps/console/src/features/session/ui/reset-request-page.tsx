import { requestPasswordReset } from '@sluice/contract/routes/registration'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { Notice } from '~/ui/notice.tsx'
import { resetRequestSchema } from '../model/registration-form.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { AccessCard, BackToLogin } from './access-card.tsx'
import { useAccessFailure } from './use-access-failure.ts'

/** The reply does not reveal whether the address is registered. */
export function ResetRequestPage() {
  const [sentTo, setSentTo] = useState('')
  return sentTo === '' ? (
    <ResetRequestForm key="form" onSent={setSentTo} />
  ) : (
    <CheckEmail key="sent" email={sentTo} onOther={() => setSentTo('')} />
  )
}

function ResetRequestForm({ onSent }: { onSent: (email: string) => void }) {
  const t = useTexts(accessTexts)
  const call = useCall()
  const failureText = useAccessFailure()
  const save = async ({ email }: { readonly email: string }) => {
    const reply = await call(requestPasswordReset, { query: { email } })
    if (!reply.ok) return failureText(reply, t.resetFailed)
    onSent(email)
    return ''
  }
  const { form, error, busy, onSubmit } = useSchemaForm(resetRequestSchema(t), { email: '' }, save)
  return (
    <AccessCard title={t.resetTitle} subtitle={t.resetText}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        <TextField
          control={form.control}
          name="email"
          label={t.email}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" variant="primary" grow busy={busy}>
          {busy ? t.sendingResetLink : t.sendResetLink}
        </Button>
        <BackToLogin />
      </form>
    </AccessCard>
  )
}

function CheckEmail({ email, onOther }: { email: string; onOther: () => void }) {
  const t = useTexts(accessTexts)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={card} className="contents">
      <AccessCard title={t.checkEmail}>
        <Notice tone="good">{t.resetSent(email)}</Notice>
        <BackToLogin />
        <Button grow variant="ghost" onClick={onOther}>
          {t.otherAddress}
        </Button>
      </AccessCard>
    </div>
  )
}
