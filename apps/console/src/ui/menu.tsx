import { clsx } from 'clsx'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

interface MenuProps {
  /** The given props belong on the button. */
  readonly trigger: (props: { popoverTarget: string; 'aria-haspopup': 'menu' }) => ReactNode
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** The platform opens, positions and closes the popover; this component adds the keyboard behaviour of menus. */
export function Menu({ trigger, label, children, align = 'end' }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const items = () => [...(ref.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? [])]
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    const next = nextIndex(event.key, at, all.length) ?? typedIndex(event.key, at, all)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'menu' })}
      <div
        ref={ref}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          if (event.newState === 'open') items()[0]?.focus()
        }}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('[role^=menuitem]') !== null)
            ref.current?.hidePopover()
        }}
        className={clsx('floating max-h-[70dvh] min-w-44 overflow-y-auto', align === 'end' && 'floating-end')}
      >
        {children}
      </div>
    </>
  )
}

function nextIndex(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

/** Typing a letter moves to the next item that starts with it. */
function typedIndex(key: string, at: number, all: readonly HTMLElement[]): number | undefined {
  if (key.length !== 1 || key === ' ') return undefined
  const order = all.map((_, index) => (at + 1 + index) % all.length)
  return order.find((index) => all[index]?.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}

export const MENU_ITEM =
  'flex w-full items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm pointer-coarse:py-2.5 ' +
  'hover:bg-hover focus-visible:bg-hover focus-visible:outline-none disabled:opacity-50'

interface MenuItemProps {
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Set for items that can be switched on; the caller draws the mark. */
  readonly checked?: boolean
}

export function MenuItem({ children, onSelect, danger = false, disabled = false, checked }: MenuItemProps) {
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      tabIndex={-1}
      disabled={disabled}
      onClick={onSelect}
      className={clsx(MENU_ITEM, danger && 'text-bad')}
    >
      {children}
    </button>
  )
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="border-line mt-1 border-t pt-1">
      <p aria-hidden="true" className="text-muted px-2.5 py-1 text-xs font-medium">
        {label}
      </p>
      {children}
    </div>
  )
}
