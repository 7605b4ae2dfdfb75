import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { ICON_LINK } from '~/ui/icon-link.ts'
import { EditIcon } from '~/ui/icons.tsx'
import { MENU_ITEM, MenuGroup } from '~/ui/menu.tsx'
import { DeleteButton, DeleteItem, RowMenu, SwitchButton, SwitchItem } from '~/ui/table/row-actions.tsx'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import type { RedemptionActions } from './use-redemption-actions.ts'

interface ActionsProps {
  readonly redemption: Redemption
  readonly actions: RedemptionActions
}

/** The actions of a row as buttons; those of a used code say why they do nothing. */
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
      <SwitchButton
        on={status !== REDEMPTION_STATUS.disabled}
        barred={barred}
        onSwitch={() => void actions.toggle(redemption)}
      />
      <DeleteButton onDelete={() => actions.remove(redemption)} />
    </span>
  )
}

/** The same actions in a menu, for phones. */
export function RedemptionMenu({ redemption, actions }: ActionsProps) {
  const t = useTexts(redemptionTexts)
  const { id, name, status } = redemption
  const remove = <DeleteItem onDelete={() => actions.remove(redemption)} />
  return (
    <RowMenu name={`${name} #${id}`}>
      {status === REDEMPTION_STATUS.used ? (
        <MenuGroup label={t.usedBarred}>{remove}</MenuGroup>
      ) : (
        <>
          <Link to="/redemptions/edit/$id" params={{ id }} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
            <EditIcon />
            {t.edit}
          </Link>
          <SwitchItem on={status !== REDEMPTION_STATUS.disabled} onSwitch={() => void actions.toggle(redemption)} />
          {remove}
        </>
      )}
    </RowMenu>
  )
}
