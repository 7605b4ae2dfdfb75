import { logout } from '@sluice/contract/routes/session'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useCommandRegistry } from '~/lib/commands/use-commands.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSession } from '~/lib/session/session.ts'
import { IconButton, buttonClass } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { ChevronDownIcon } from '~/ui/icon.tsx'
import { SearchIcon, UserIcon } from '~/ui/icons.tsx'
import { Menu, MENU_ITEM, MenuItem } from '~/ui/menu.tsx'
import { TipLayer } from '~/ui/tip-layer.tsx'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { SettingsIcon, SignOutIcon } from './navigation-list.tsx'
import { PreferenceItems } from './preference-items.tsx'

/** The palette's button, the account menu, and the tooltips of all controls, which must be inside a landmark. */
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
      {/* The navigation shows them only to operators, but everyone has a tab there. */}
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
 * Ends the session at the gateway, then here. When the gateway cannot be reached the visitor stays signed in and sees an error:
 * claiming otherwise would leave a live session behind.
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
