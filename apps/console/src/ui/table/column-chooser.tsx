import { useId } from 'react'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { Checkbox } from '../field.tsx'
import { ColumnsIcon } from '../icons.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import type { ChoosableColumn } from './use-list-table.ts'

/** Which columns the table shows; the choice is kept on this browser. */
export function ColumnChooser({ columns }: { columns: readonly ChoosableColumn[] }) {
  const t = useTexts(uiTexts)
  const id = useId()
  return (
    <>
      <IconButton label={t.columns} tone="bordered" popoverTarget={id}>
        <ColumnsIcon />
      </IconButton>
      <div id={id} popover="auto" role="group" aria-label={t.columns} className="floating floating-end min-w-44 p-3">
        <div className="flex flex-col gap-1.5">
          {columns.map((column) => (
            <Checkbox key={column.id} label={column.header} checked={column.shown} onChange={column.toggle} />
          ))}
        </div>
      </div>
    </>
  )
}
