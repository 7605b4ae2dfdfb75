import { type KeyboardEvent, useId, useState, type Ref, type RefObject } from 'react'

interface ListboxOptions {
  readonly count: number
  readonly onChoose: (index: number) => void
  readonly onEnter?: () => void
}

export type Listbox = ReturnType<typeof useListbox>

/**
 * The ARIA pattern of a combobox: the focus stays in the input, arrows move the active option, Enter chooses it, Escape closes.
 * Spread `inputProps` on the input, `listProps` on the list, `optionProps` on options.
 */
export function useListbox({ count, onChoose, onEnter }: ListboxOptions) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const at = active < count ? active : -1

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const move = (to: number) => {
    setOpen(true)
    setActive(to)
    document.querySelector(`#${CSS.escape(`${id}-${to}`)}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && count > 0) {
      event.preventDefault()
      // The input itself is the position before the first and after the last option.
      move(((at + 1 + step + count + 1) % (count + 1)) - 1)
    } else if (event.key === 'Enter') {
      if (open && at >= 0) {
        event.preventDefault()
        onChoose(at)
      } else if (onEnter !== undefined) {
        event.preventDefault()
        onEnter()
      }
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  return {
    open,
    active: at,
    setOpen,
    setActive,
    close,
    inputProps: {
      role: 'combobox',
      'aria-expanded': open,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': open && at >= 0 ? `${id}-${at}` : undefined,
      autoComplete: 'off',
      onKeyDown,
    } as const,
    listProps: { id, role: 'listbox' } as const,
    optionProps: (index: number) =>
      ({
        id: `${id}-${index}`,
        role: 'option',
        'aria-selected': index === at,
        'data-active': index === at ? true : undefined,
        onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
        onClick: () => onChoose(index),
        onPointerMove: () => setActive(index),
      }) as const,
  }
}

export const LISTBOX =
  'bg-raised border-line shadow-float absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-lg border p-1 text-sm'
export const OPTION =
  'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 data-active:bg-hover pointer-coarse:py-2.5'

/** For an element whose component needs a ref of its own. */
export function mergedRef<T>(
  own: RefObject<T | null>,
  given: Ref<T> | undefined,
): (element: T | null) => (() => void) | void {
  return (element) => {
    own.current = element
    if (typeof given === 'function') return given(element)
    if (given) given.current = element
    return undefined
  }
}

/** A list draws at most this many options; typing narrows down the others. */
const MOST_SHOWN = 100

/** Options that contain every typed word, those that start with the text first, at most a hundred. */
export function matchingOptions(options: readonly string[], text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return options.slice(0, MOST_SHOWN)
  const found = options.filter((option) => words.every((word) => option.toLowerCase().includes(word)))
  const starts = (option: string) => option.toLowerCase().startsWith(words.join(' '))
  return [...found.filter(starts), ...found.filter((option) => !starts(option))].slice(0, MOST_SHOWN)
}
