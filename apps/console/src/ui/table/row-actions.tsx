import type { ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { MoreIcon, PowerIcon, TrashIcon } from '../icons.tsx'
import { Menu, MenuItem } from '../menu.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { tableTexts } from './texts/table-texts.ts'

/** For links among icon buttons. */
export const ICON_LINK =
  'text-muted hover:bg-hover hover:text-ink inline-flex size-7 items-center justify-center rounded-md pointer-coarse:size-9'

export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const label = useTexts(uiTexts).actionsFor(name)
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <IconButton label={label} {...props}>
          <MoreIcon />
        </IconButton>
      )}
    >
      {children}
    </Menu>
  )
}

interface SwitchProps {
  /** Whether the row is enabled, so that the action disables it. */
  readonly on: boolean
  readonly onSwitch: () => void
}

interface DeleteProps {
  readonly onDelete: () => void
}

interface Barred {
  readonly barred?: string | undefined
}

interface Disabled {
  readonly disabled?: boolean
}

export function SwitchButton({ on, onSwitch, barred }: SwitchProps & Barred) {
  const t = useTexts(tableTexts)
  return (
    <IconButton label={on ? t.disable : t.enable} barred={barred} onClick={onSwitch}>
      <PowerIcon />
    </IconButton>
  )
}

export function SwitchItem({ on, onSwitch, disabled = false }: SwitchProps & Disabled) {
  const t = useTexts(tableTexts)
  return (
    <MenuItem disabled={disabled} onSelect={onSwitch}>
      <PowerIcon />
      {on ? t.disable : t.enable}
    </MenuItem>
  )
}

/** Asks for confirmation first. */
export function DeleteButton({ onDelete, barred }: DeleteProps & Barred) {
  const t = useTexts(tableTexts)
  return (
    <IconButton label={t.delete} barred={barred} onClick={onDelete}>
      <TrashIcon />
    </IconButton>
  )
}

export function DeleteItem({ onDelete, disabled = false }: DeleteProps & Disabled) {
  const t = useTexts(tableTexts)
  return (
    <MenuItem danger disabled={disabled} onSelect={onDelete}>
      <TrashIcon />
      {t.delete}
    </MenuItem>
  )
}
