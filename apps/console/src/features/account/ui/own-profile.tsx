import { updateSelf } from '@sluice/contract/routes/account'
import { sendVerificationCode } from '@sluice/contract/routes/registration'
import { emailAddress, type User } from '@sluice/contract/user'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import * as v from 'valibot'
import { useCall, isWorthTelling } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser, useSession } from '~/lib/session/session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { Checkbox } from '~/ui/field.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { FormSection, FormShell } from '~/ui/form/form-shell.tsx'
import { useSubmitFailure, useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { ownAccountQuery } from '../calls.ts'
import {
  accountBody,
  accountFormSchema,
  type AccountFormValues,
  type EmailRule,
  needsCode,
} from '../model/account-form.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { type StepUpField, stepUpOf, StepUpDialog } from './ask-dialog.tsx'

/** A root user who still has the initial password is told to change it. */
export function OwnProfile() {
  const t = useTexts(accountTexts)
  const user = useUser()
  const query = useQuery(ownAccountQuery(useCall()))
  return (
    <>
      {user?.password_change_required === true && <Notice tone="bad">{t.firstPassword}</Notice>}
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <ProfileSkeleton />}
      {query.data !== undefined && <ProfileForm account={query.data} />}
    </>
  )
}

/** As high as the form, so that nothing below it moves. */
function ProfileSkeleton() {
  const t = useTexts(accountTexts)
  return (
    <div className="border-line bg-surface divide-line divide-y rounded-lg border">
      <FormSection title={t.profile} text={t.profileText}>
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </FormSection>
      <FormSection title={t.passwordSection} text={t.passwordText}>
        <Skeleton className="h-28 w-full" />
      </FormSection>
      <div className="h-14" />
    </div>
  )
}

/** A root user who still has the initial password is sent here. */
export function OwnAccountPage() {
  const t = useTexts(accountTexts)
  return (
    <Page title={t.title} width="narrow">
      <OwnProfile />
      <p className="text-muted text-sm">
        {t.moreSettings}{' '}
        <Link to="/settings" className="text-accent underline">
          {t.openSettings}
        </Link>
      </p>
    </Page>
  )
}

export function ProfileForm({ account }: { account: User }) {
  const t = useTexts(accountTexts)
  const { email_verification } = useSystemStatus()
  const rule = { stored: account.email, verified: email_verification }
  const { form, error, busy, onSubmit, stepUp } = useProfile(account, rule)
  const { control } = form
  const email = useWatch({ control, name: 'email' })
  return (
    <>
      <FormShell onSubmit={onSubmit} error={error} busy={busy} submitLabel={busy ? t.saving : t.save}>
        <FormSection id="profile" title={t.profile} text={t.profileText}>
          <TextField control={control} name="username" label={t.username} autoComplete="username" spellCheck={false} />
          <TextField control={control} name="display_name" label={t.displayName} autoComplete="nickname" />
          <TextField control={control} name="email" label={t.email} type="email" autoComplete="email" />
          {needsCode(email, rule) && (
            <EmailCodeField key={email} control={control} email={email} valid={v.is(emailAddress, email)} />
          )}
        </FormSection>
        <FormSection id="password" title={t.passwordSection} text={t.passwordText}>
          <NewPasswordField control={control} />
        </FormSection>
      </FormShell>
      {stepUp !== undefined && <StepUpDialog text={t.stepUpText} {...stepUp} />}
    </>
  )
}

/** `stepUp` is the dialog shown while the gateway wants proof of identity before it saves. */
function useProfile(account: User, rule: EmailRule) {
  const t = useTexts(accountTexts)
  const call = useCall()
  const failed = useSubmitFailure(t.failed)
  const saved = useSavedProfile()
  const [asking, setAsking] = useState<{ readonly asked: StepUpField; readonly values: AccountFormValues }>()
  const save = async (values: AccountFormValues) => {
    const reply = await call(updateSelf, { body: accountBody(values, rule) })
    if (reply.ok) return await finish(values)
    const asked = stepUpOf(reply)
    if (asked === undefined) return failed(reply)
    setAsking({ asked, values })
    return ''
  }
  const finish = async (values: AccountFormValues) => {
    entry.form.reset({ ...values, verification_code: '', password: '' })
    await saved(values)
    return ''
  }
  const { username, display_name, email } = account
  const start = { username, display_name, email, verification_code: '', password: '' }
  const entry = useSchemaForm(accountFormSchema(t, rule, username), start, save)
  const stepUp = asking && {
    asked: asking.asked,
    onSubmit: async (given: Partial<Record<StepUpField, string>>) => {
      const reply = await call(updateSelf, { body: { ...accountBody(asking.values, rule), ...given } })
      if (!reply.ok) return reply.message || t.failed
      setAsking(undefined)
      return await finish(asking.values)
    },
    onClose: () => setAsking(undefined),
  }
  return { ...entry, stepUp }
}

function useSavedProfile() {
  const t = useTexts(accountTexts)
  const cache = useQueryClient()
  const session = useSession()
  const toasts = useToasts()
  return async ({ username, display_name, password }: AccountFormValues) => {
    const user = session.get()
    if (user !== undefined) {
      const stillFirst = user.password_change_required === true && password === ''
      session.signIn({ ...user, username, display_name, password_change_required: stillFirst })
    }
    toasts.show({ tone: 'good', title: t.saved })
    // A new password also ends sessions.
    await cache.invalidateQueries({ queryKey: ['account'] })
  }
}

function NewPasswordField({ control }: { control: AccountControl }) {
  const t = useTexts(accountTexts)
  const [shown, setShown] = useState(false)
  return (
    <>
      <TextField
        control={control}
        name="password"
        label={t.password}
        hint={t.passwordHint}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox label={t.showPassword} checked={shown} onChange={(event) => setShown(event.target.checked)} />
    </>
  )
}

type AccountControl = Control<AccountFormValues, unknown, AccountFormValues>

interface EmailCodeFieldProps {
  readonly control: AccountControl
  readonly email: string
  readonly valid: boolean
}

function EmailCodeField({ control, email, valid }: EmailCodeFieldProps) {
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
