import { ROLE } from '@sluice/contract/capability'
import { deleteSelf } from '@sluice/contract/routes/account'
import type { User } from '@sluice/contract/user'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, startTransition, useState } from 'react'
import * as v from 'valibot'
import { useShortcutsEnabled } from '~/lib/commands/use-commands.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useSession } from '~/lib/session/session.ts'
import { useStore } from '~/lib/store/store.ts'
import { THEMES, useTheme } from '~/lib/theme/theme.ts'
import { Button } from '~/ui/button.tsx'
import { Checkbox, Field, Select } from '~/ui/field.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ownAccountQuery } from '../calls.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { AskDialog } from './ask-dialog.tsx'
import { GeneratedAccess } from './generated-access.tsx'
import { LinkedAccountSection } from './linked-account-section.tsx'
import { OwnProfile } from './own-profile.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { SectionCard } from './section-card.tsx'
import { SessionSection } from './session-section.tsx'
import { TotpSection } from './totp-section.tsx'

const OwnKeySection = lazy(async () => ({ default: (await import('./own-key-section.tsx')).OwnKeySection }))

/** The settings that each user has. */
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

/** How this browser shows the console; each choice takes effect at once. */
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

/** Deletes the user's own account. Typing one's own name guards against deleting it by mistake. */
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
