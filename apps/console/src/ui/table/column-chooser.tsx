import { useId, useState } from 'react'
import * as v from 'valibot'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { IconButton } from '../button.tsx'
import { Checkbox } from '../field.tsx'
import { ColumnsIcon } from '../icons.tsx'
import { tableTexts } from './texts/table-texts.ts'
import type { ChoosableColumn } from './use-list-table.ts'

interface ColumnChooserProps {
  readonly columns: readonly ChoosableColumn[]
  readonly density: Density
  readonly onDensity: (density: Density) => void
}

export function ColumnChooser({ columns, density, onDensity }: ColumnChooserProps) {
  const t = useTexts(tableTexts)
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
        <fieldset className="border-line mt-2 flex flex-col gap-1.5 border-t pt-2">
          <legend className="sr-only">{t.rowHeight}</legend>
          {(['compact', 'comfortable'] as const).map((each) => (
            <label key={each} className="inline-flex min-h-6 items-center gap-2 text-sm font-medium">
              <input
                type="radio"
                name={`${id}-density`}
                className="accent-accent-solid size-4"
                checked={density === each}
                onChange={() => onDensity(each)}
              />
              {t[each]}
            </label>
          ))}
        </fieldset>
      </div>
    </>
  )
}

type Density = 'compact' | 'comfortable'

/** In pixels, for rows and their skeletons, so that nothing moves when the rows arrive. */
export const ROW_PX: Readonly<Record<Density, number>> = { compact: 36, comfortable: 44 }

/** For all tables; stored in this browser. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const record = storedRecord(browserStorage(), STORAGE_KEYS.density, v.picklist(['compact', 'comfortable']))
  const [density, setDensity] = useState<Density>(() => record.read() ?? 'compact')
  const change = (next: Density) => {
    record.write(next)
    setDensity(next)
  }
  return [density, change]
}
