import { useEffect, useRef, useState } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { MAX_SELECTED, type SelectionOptions } from './selection.ts'
import { tableTexts } from './texts/table-texts.ts'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps<Row> {
  readonly selection: Selection<Row>
  readonly options: SelectionOptions<Row>
  /** Number of rows that match. */
  readonly total: number
}

/** How many rows are selected and the actions on them; stays visible at the foot of the list. */
export function SelectionBar<Row>({ selection, options, total }: SelectionBarProps<Row>) {
  const t = useTexts(tableTexts)
  const [asking, setAsking] = useState(false)
  const { rows, clear } = selection
  const { all } = options
  useCommand({ id: 'list.unselect', label: t.clearSelection, group: t.list, keys: 'Escape', run: clear })
  // The bar disappears with the selection and with the page: after that no one waits for the rows any more.
  const gone = useRef<AbortController>(null)
  useEffect(() => {
    const controller = (gone.current = new AbortController())
    return () => controller.abort()
  }, [])
  const selectAll = async () => {
    if (all === undefined || gone.current === null) return
    setAsking(true)
    // A failure leaves the selection unchanged; the button can be pressed again.
    const found = await all(gone.current.signal).catch(() => undefined)
    if (found !== undefined) selection.take(found)
    setAsking(false)
  }
  const more = Math.min(total, MAX_SELECTED)
  return (
    <div
      role="group"
      aria-label={t.selection}
      className="border-line bg-surface flex flex-wrap items-center gap-2 rounded-lg border px-2 py-1 max-md:sticky max-md:bottom-2 max-md:z-[2] max-md:shadow-lg"
    >
      <span role="status" className="px-1 text-sm font-medium tabular-nums">
        {t.selectedRows(formatCount(rows.length))}
      </span>
      {all !== undefined && selection.ofPage === 'all' && rows.length < more && (
        <Button size="small" variant="ghost" busy={asking} onClick={() => void selectAll()}>
          {t.selectAll(formatCount(more))}
        </Button>
      )}
      {options.actions(rows, clear)}
      <Button size="small" variant="ghost" onClick={clear}>
        {t.clearSelection}
      </Button>
    </div>
  )
}
