import { ROLE } from '@sluice/contract/capability'
import { deleteSelf, invitationCode, renewAccessToken } from '@sluice/contract/routes/account'
import type { User } from '@sluice/contract/user'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, startTransition, useState } from 'react'
import * as v from 'valibot'
import { useShortcutsEnabled, useCommand } from '~/lib/commands.ts'
import { useCall } from '~/lib/http/call.ts'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useSession } from '~/lib/session/session.ts'
import { publicAddressOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { useStore } from '~/lib/store.ts'
import { THEMES, useTheme } from '~/lib/theme.ts'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Checkbox, Field, Select } from '~/ui/field.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useChange } from '~/ui/use-change.ts'
import { ownAccountQuery } from '../calls.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { AskDialog } from './ask-dialog.tsx'
import { LinkedAccountSection } from './linked-account-section.tsx'
import { OwnProfile } from './own-profile.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { SectionCard, SecretValue } from './section-card.tsx'
import { SessionSection } from './session-section.tsx'
import { TotpSection } from './totp-section.tsx'

const OwnKeySection = lazy(async () => ({ default: (await import('./own-key-section.tsx')).OwnKeySection }))

export function PersonalTab() {
  const account = useQuery(ownAccountQuery(useCall())).data
  return (
    <>
      <OwnProfile />
      <GeneratedAccess />
      <TotpSection />
      <PasskeySection />
      <LinkedAccountSection account={account} />
      <SessionSection />
      <Suspense fallback={<Skeleton className="h-32 w-full" />}>
        <OwnKeySection />
      </Suspense>
      <PreferenceSection />
      <DeleteAccount account={account} />
    </>
  )
}

function PreferenceSection() {
  const t = useTexts(accountTexts)
  const theme = useTheme()
  const { locale } = useI18n()
  const shortcuts = useShortcutsEnabled()
  const currentTheme = useStore(theme)
  const currentLocale = useStore(locale)
  return (
    <SectionCard id="preferences" title={t.preferences} text={t.preferencesText}>
      <Field label={t.theme}>
        {(ids) => (
          <Select
            {...ids}
            value={currentTheme}
            options={THEMES.map((value) => ({ value, label: t.themes[value] }))}
            onChange={(event) => theme.set(THEMES.find((value) => value === event.target.value) ?? 'system')}
          />
        )}
      </Field>
      <Field label={t.language}>
        {(ids) => (
          <Select
            {...ids}
            value={currentLocale}
            options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
            onChange={(event) => {
              const chosen = LOCALES.find((value) => value === event.target.value)
              if (chosen !== undefined) startTransition(() => locale.set(chosen))
            }}
          />
        )}
      </Field>
      <Checkbox
        label={t.shortcuts}
        hint={t.shortcutsHint}
        checked={useStore(shortcuts)}
        onChange={(event) => shortcuts.set(event.target.checked)}
      />
    </SectionCard>
  )
}

/** Users type their own name, so that they do not delete the account by mistake. */
function DeleteAccount({ account }: { account: User | undefined }) {
  const t = useTexts(accountTexts)
  const [open, setOpen] = useState(false)
  return (
    <SectionCard id="delete" title={t.deletion} text={t.deletionText}>
      {account !== undefined && account.role >= ROLE.root ? (
        <p className="text-muted text-sm">{t.deletionRoot}</p>
      ) : (
        <div>
          <Button disabled={account === undefined} onClick={() => setOpen(true)}>
            {t.deleteAccount}
          </Button>
        </div>
      )}
      {open && account !== undefined && <DeleteDialog username={account.username} onClose={() => setOpen(false)} />}
    </SectionCard>
  )
}

function DeleteDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const t = useTexts(accountTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const remove = async () => {
    const reply = await call(deleteSelf, {})
    if (!reply.ok) return reply.message || t.deleteFailed
    session.signOut()
    await navigate({ to: '/login', replace: true, state: { notice: t.deleted } })
    return ''
  }
  return (
    <AskDialog
      title={t.deleteTitle}
      text={t.deleteText}
      field={t.deleteName(username)}
      rule={v.pipe(v.string(), v.trim(), v.literal(username, t.deleteMismatch))}
      submit={t.deleteConfirm}
      busyLabel={t.deleteBusy}
      danger
      onSubmit={remove}
      onClose={onClose}
    />
  )
}

/** Only one is shown at a time, so that a token does not stay visible while a link is copied for someone else. */
type Generated = { readonly kind: 'token' | 'invitation'; readonly text: string }

export function GeneratedAccess() {
  const t = useTexts(accountTexts)
  const call = useCall()
  const confirm = useConfirm()
  const { server_address } = useSystemStatus()
  const [generated, setGenerated] = useState<Generated>()
  const token = useChange({
    send: () => call(renewAccessToken, {}),
    failed: t.tokenFailed,
    onDone: ({ data }) => setGenerated({ kind: 'token', text: data }),
  })
  const invitation = useChange({
    send: () => call(invitationCode, {}),
    failed: t.invitationFailed,
    onDone: ({ data }) => setGenerated({ kind: 'invitation', text: invitationLink(server_address, data) }),
  })
  const askForToken = () =>
    confirm({
      title: t.tokenTitle,
      text: t.tokenText,
      confirm: t.tokenConfirm,
      busy: t.tokenBusy,
      run: token.run,
    })
  useCommand({ id: 'account.token', label: t.generateToken, group: t.commands, run: askForToken })
  useCommand({
    id: 'account.invitation',
    label: t.generateInvitation,
    group: t.commands,
    run: () => void invitation.run(),
  })
  return (
    <SectionCard id="access" title={t.access} text={t.accessText}>
      <div className="flex flex-wrap gap-2">
        <Button onClick={askForToken}>{t.generateToken}</Button>
        <Button busy={invitation.busy} onClick={() => void invitation.run()}>
          {t.generateInvitation}
        </Button>
      </div>
      <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
        {generated?.kind === 'token' && (
          <>
            <SecretValue label={t.accessToken} text={generated.text} copyLabel={t.copyToken} />
            <Notice tone="info">{t.tokenWarning}</Notice>
          </>
        )}
        {generated?.kind === 'invitation' && (
          <>
            <SecretValue label={t.invitationLink} text={generated.text} copyLabel={t.copyInvitation} />
            <p className="text-muted text-xs">{t.invitationHint}</p>
          </>
        )}
      </div>
    </SectionCard>
  )
}

export function invitationLink(serverAddress: string, code: string, loadedFrom?: string): string {
  return `${publicAddressOf(serverAddress, loadedFrom)}/register?aff=${encodeURIComponent(code)}`
}
