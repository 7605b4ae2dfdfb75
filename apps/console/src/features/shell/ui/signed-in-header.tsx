import { logout } from '@sluice/contract/routes/session'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { startTransition } from 'react'
import { useCommandRegistry } from '~/lib/commands.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts, useI18n } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useSession } from '~/lib/session/session.ts'
import { useStore } from '~/lib/store.ts'
import { THEMES, useTheme } from '~/lib/theme.ts'
import { IconButton, buttonClass } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { ChevronDownIcon, CheckIcon } from '~/ui/icon.tsx'
import { SearchIcon, UserIcon } from '~/ui/icons.tsx'
import { Menu, MENU_ITEM, MenuItem, MenuGroup } from '~/ui/menu.tsx'
import { TipLayer } from '~/ui/tip-layer.tsx'
import { useTellFailure } from '~/ui/use-change.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { SettingsIcon, SignOutIcon } from './navigation-list.tsx'
import { LanguageIcon, MoonIcon, ScreenIcon, SunIcon } from './visitor-preferences.tsx'

/** Includes the tooltips of all controls, which must be inside a landmark. */
export function SignedInHeader({ user }: { user: SignedInUser }) {
  const t = useTexts(shellTexts)
  const registry = useCommandRegistry()
  const openPalette = () =>
    registry
      .get()
      .find(({ id }) => id === 'palette')
      ?.run()
  return (
    <>
      <IconButton label={t.palette} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <SearchIcon />
      </IconButton>
      <AccountMenu user={user} />
      <TipLayer />
    </>
  )
}

function AccountMenu({ user }: { user: SignedInUser }) {
  const t = useTexts(shellTexts)
  const confirm = useConfirm()
  const logOut = useLogOut()
  const editPath: string = '/users/edit'
  const canEdit = editPath in useRouter().routesByPath
  const ask = () =>
    confirm({ title: t.logoutTitle, text: t.logoutText, confirm: t.logoutConfirm, busy: t.logoutBusy, run: logOut })
  return (
    <Menu
      label={t.accountMenu(user.username)}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={t.accountMenu(user.username)}
          className={buttonClass('ghost', 'small')}
        >
          <UserIcon />
          <span className="max-w-32 truncate max-sm:hidden">{user.username}</span>
          <ChevronDownIcon />
        </button>
      )}
    >
      <p className="text-muted truncate px-2.5 py-1.5 text-xs">{user.display_name || user.username}</p>
      {canEdit && (
        <Link to={editPath} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
          <UserIcon />
          {t.editAccount}
        </Link>
      )}
      {/* The navigation shows the settings only to operators, but everyone has a tab there. */}
      <Link to="/settings" role="menuitem" tabIndex={-1} className={MENU_ITEM}>
        <SettingsIcon />
        {t.nav.settings}
      </Link>
      <PreferenceItems />
      <div className="border-line mt-1 border-t pt-1">
        <MenuItem onSelect={ask}>
          <SignOutIcon />
          {t.logout}
        </MenuItem>
      </div>
    </Menu>
  )
}

/**
 * Ends the session at the gateway first. If the gateway cannot be reached, the visitor stays signed in and sees an error: claiming
 * otherwise would leave a live session behind.
 */
function useLogOut(): () => Promise<void> {
  const t = useTexts(shellTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const tell = useTellFailure()
  return async () => {
    const reply = await call(logout, {})
    if (!reply.ok && reply.kind !== 'session') return tell(t.logoutFailed, reply)
    session.signOut()
    await navigate({ to: '/login', replace: true })
  }
}

const THEME_PICTURES = { light: SunIcon, dark: MoonIcon, system: ScreenIcon } as const

export function PreferenceItems() {
  const t = useTexts(shellTexts)
  const theme = useTheme()
  const { locale } = useI18n()
  const currentTheme = useStore(theme)
  const currentLocale = useStore(locale)
  return (
    <>
      <MenuGroup label={t.theme}>
        {THEMES.map((choice) => {
          const Picture = THEME_PICTURES[choice]
          return (
            <MenuItem key={choice} checked={choice === currentTheme} onSelect={() => theme.set(choice)}>
              <Picture />
              <span className="grow">{t.themes[choice]}</span>
              {choice === currentTheme && <CheckIcon />}
            </MenuItem>
          )
        })}
      </MenuGroup>
      <MenuGroup label={t.language}>
        {LOCALES.map((choice) => (
          <MenuItem
            key={choice}
            checked={choice === currentLocale}
            onSelect={() => startTransition(() => locale.set(choice))}
          >
            <LanguageIcon />
            <span lang={choice} className="grow">
              {LOCALE_NAMES[choice]}
            </span>
            {choice === currentLocale && <CheckIcon />}
          </MenuItem>
        ))}
      </MenuGroup>
    </>
  )
}
