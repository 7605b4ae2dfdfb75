import type { RefObject } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { tableTexts } from './texts/table-texts.ts'

/** Keyboard navigation in a table: `j` and `k` move the focus; a row handles Enter itself. */
export function ListKeys({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  const t = useTexts(tableTexts)
  const step = (by: 1 | -1) => {
    const rows = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    rows[at === -1 ? 0 : at + by]?.focus()
  }
  useCommand({ id: 'list.next', label: t.nextRow, group: t.list, keys: 'j', run: () => step(1) })
  useCommand({ id: 'list.previous', label: t.previousRow, group: t.list, keys: 'k', run: () => step(-1) })
  return null
}

/** `x` selects or deselects the focused row. */
export function SelectKey({ onToggle }: { onToggle: (id: string) => void }) {
  const t = useTexts(tableTexts)
  const toggle = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
    if (id !== undefined) onToggle(id)
  }
  useCommand({ id: 'list.select', label: t.selectFocused, group: t.list, keys: 'x', run: toggle })
  return null
}
