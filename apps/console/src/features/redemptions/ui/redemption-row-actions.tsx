import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../ui/button.tsx'
import { ICON_LINK } from '../../../ui/icon-link.ts'
import { EditIcon, MoreIcon, PowerIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Menu, MENU_ITEM, MenuGroup, MenuItem } from '../../../ui/menu.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import type { RedemptionActions } from './use-redemption-actions.ts'

interface ActionsProps {
  readonly redemption: Redemption
  readonly actions: RedemptionActions
}

/** The actions of a row as buttons; a used code's say why they do nothing. */
export function RedemptionButtons({ redemption, actions }: ActionsProps) {
  const t = useTexts(redemptionTexts)
  const { id, status } = redemption
  const barred = status === REDEMPTION_STATUS.used ? t.usedBarred : undefined
  return (
    <span className="flex justify-end gap-0.5">
      {barred === undefined ? (
        <Link to="/redemptions/edit/$id" params={{ id }} aria-label={t.edit} data-tip={t.edit} className={ICON_LINK}>
          <EditIcon />
        </Link>
      ) : (
        <IconButton label={t.edit} barred={barred}>
          <EditIcon />
        </IconButton>
      )}
      <IconButton
        label={status === REDEMPTION_STATUS.disabled ? t.enable : t.disable}
        barred={barred}
        onClick={() => void actions.toggle(redemption)}
      >
        <PowerIcon />
      </IconButton>
      <IconButton label={t.delete} onClick={() => actions.remove(redemption)}>
        <TrashIcon />
      </IconButton>
    </span>
  )
}

/** The same actions in a menu, for phones. */
export function RedemptionMenu({ redemption, actions }: ActionsProps) {
  const t = useTexts(redemptionTexts)
  const { id, name, status } = redemption
  const label = useTexts(uiTexts).actionsFor(`${name} #${id}`)
  const remove = (
    <MenuItem danger onSelect={() => actions.remove(redemption)}>
      <TrashIcon />
      {t.delete}
    </MenuItem>
  )
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <IconButton label={label} {...props}>
          <MoreIcon />
        </IconButton>
      )}
    >
      {status === REDEMPTION_STATUS.used ? (
        <MenuGroup label={t.usedBarred}>{remove}</MenuGroup>
      ) : (
        <>
          <Link to="/redemptions/edit/$id" params={{ id }} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
            <EditIcon />
            {t.edit}
          </Link>
          <MenuItem onSelect={() => void actions.toggle(redemption)}>
            <PowerIcon />
            {status === REDEMPTION_STATUS.disabled ? t.enable : t.disable}
          </MenuItem>
          {remove}
        </>
      )}
    </Menu>
  )
}
