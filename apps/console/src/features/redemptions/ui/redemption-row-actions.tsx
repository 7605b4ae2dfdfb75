import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { Link } from '@tanstack/react-router'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { EditIcon } from '~/ui/icons.tsx'
import { MENU_ITEM, MenuGroup } from '~/ui/menu.tsx'
import { ICON_LINK, DeleteButton, DeleteItem, RowMenu, SwitchButton, SwitchItem } from '~/ui/table/row-actions.tsx'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { redemptionChanges } from '../calls.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { toggledStatus } from './redemption-cells.tsx'

interface ActionsProps {
  readonly redemption: Redemption
  readonly actions: RedemptionActions
}

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

export type RedemptionActions = Pick<RowChanges<Redemption>, 'toggle' | 'remove'>

export function useRedemptionActions(): RedemptionActions {
  const texts = useTexts(redemptionTexts)
  const calls = redemptionChanges(useCall())
  const { toggle, remove } = useRowChanges<Redemption>({
    area: 'redemptions',
    calls,
    nameOf: ({ name }) => name,
    texts,
    toggled: toggledStatus,
  })
  return {
    toggle,
    remove: (code) =>
      remove(code, code.status === REDEMPTION_STATUS.used ? texts.deleteUsedText(code.name) : undefined),
  }
}
