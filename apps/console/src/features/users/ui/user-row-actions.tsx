import { type User, USER_STATUS } from '@sluice/contract/user'
import { Link } from '@tanstack/react-router'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { IconButton } from '~/ui/button.tsx'
import { icon, InfoIcon } from '~/ui/icon.tsx'
import { EditIcon } from '~/ui/icons.tsx'
import { MENU_ITEM, MenuGroup, MenuItem } from '~/ui/menu.tsx'
import { ICON_LINK, DeleteButton, DeleteItem, RowMenu, SwitchButton, SwitchItem } from '~/ui/table/row-actions.tsx'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { userChanges } from '../calls.ts'
import { type Authority, authorityOver, type Bar } from '../model/authority.ts'
import { userTexts } from '../texts/user-texts.ts'

const TopUpIcon = icon('M2.5 5.5v7h11v-7h-11l8-3v3M10.5 9h.01')

interface ActionsProps {
  readonly user: User
  readonly actions: UserActions
  readonly onTopUp: (user: User) => void
  readonly onOpen: (user: User) => void
}

export function useAuthority(user: Pick<User, 'id' | 'role'>): Authority {
  return authorityOver(useUser(), user)
}

export function UserButtons({ user, actions, onTopUp }: ActionsProps) {
  const t = useTexts(userTexts)
  const may = useAuthority(user)
  const why = (bar: Bar | undefined) => bar && t.barred[bar]
  return (
    <span className="flex justify-end gap-0.5">
      <IconButton label={t.topUp} barred={why(may.topUp)} onClick={() => onTopUp(user)}>
        <TopUpIcon />
      </IconButton>
      {may.edit === undefined ? (
        <Link to="/users/edit/$id" params={{ id: user.id }} aria-label={t.edit} data-tip={t.edit} className={ICON_LINK}>
          <EditIcon />
        </Link>
      ) : (
        <IconButton label={t.edit} barred={why(may.edit)}>
          <EditIcon />
        </IconButton>
      )}
      <SwitchButton on={isOn(user)} barred={why(may.toggle)} onSwitch={() => void actions.toggle(user)} />
      <DeleteButton barred={why(may.remove)} onDelete={() => actions.remove(user)} />
    </span>
  )
}

/** The same actions in a menu, for phones. Its heading is the reason why some are not allowed. */
export function UserMenu({ user, actions, onTopUp, onOpen }: ActionsProps) {
  const t = useTexts(userTexts)
  const may = useAuthority(user)
  const bar = may.toggle
  const changes = (
    <>
      <SwitchItem on={isOn(user)} disabled={may.toggle !== undefined} onSwitch={() => void actions.toggle(user)} />
      <DeleteItem disabled={may.remove !== undefined} onDelete={() => actions.remove(user)} />
    </>
  )
  return (
    <RowMenu name={user.username}>
      <MenuItem onSelect={() => onOpen(user)}>
        <InfoIcon />
        {t.details(user.username)}
      </MenuItem>
      {may.edit === undefined && (
        <Link to="/users/edit/$id" params={{ id: user.id }} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
          <EditIcon />
          {t.edit}
        </Link>
      )}
      <MenuItem disabled={may.topUp !== undefined} onSelect={() => onTopUp(user)}>
        <TopUpIcon />
        {t.topUp}
      </MenuItem>
      {bar === undefined ? changes : <MenuGroup label={t.barred[bar]}>{changes}</MenuGroup>}
    </RowMenu>
  )
}

function isOn({ status }: User): boolean {
  return status === USER_STATUS.enabled
}

type UserActions = Pick<RowChanges<User>, 'toggle' | 'remove'>

export function useUserActions(): UserActions {
  const texts = useTexts(userTexts)
  const calls = userChanges(useCall())
  return useRowChanges({ area: 'users', calls, nameOf: ({ username }) => username, texts })
}
