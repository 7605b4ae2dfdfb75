import type { Log } from '@sluice/contract/log'
import { useId, useRef, useState } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { Button } from '~/ui/button.tsx'
import { ChevronDownIcon } from '~/ui/icon.tsx'
import { SavedViewsMenu } from '~/ui/saved-views/saved-views-menu.tsx'
import { activeFilters } from '../model/filters/filter-draft.ts'
import { valuesIn } from '../model/filters/filter-options.ts'
import type { LogSearch } from '../model/filters/log-search.ts'
import type { LogFilters as Filters } from '../model/filters/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'
import { FilterBar } from './filter-bar.tsx'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import { useLogAddress, viewSearchOf } from './use-log-address.ts'

interface LogFiltersProps extends Pick<FilterFormProps, 'seesAll' | 'now' | 'form'> {
  /** The listed rows, whose values are suggested. */
  readonly rows: readonly Log[]
  readonly columns: readonly string[]
  /** Called with a saved view's part of the address, which has not been validated yet. */
  readonly onView: (search: Readonly<Record<string, unknown>>) => void
}

export function LogFilters({ seesAll, now, form, rows, columns, onView }: LogFiltersProps) {
  const t = useTexts(logTexts)
  const { search, filters, change } = useLogAddress()
  const formId = useId()
  const line = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  useCommand({ id: 'logs.filter', label: t.filterCommand, group: t.group, keys: 'f', run: () => line.current?.focus() })
  // A search ignores the filters, so applying them ends it.
  const onApply = (next: Filters) => change({ ...next, keyword: '', p: 0 })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <FilterBar
          ref={line}
          filters={filters}
          seesAll={seesAll}
          onApply={onApply}
          known={valuesIn(rows)}
          onSearch={(keyword) => change({ keyword, p: 0 })}
        />
        <Button aria-expanded={open} aria-controls={formId} onClick={() => setOpen(!open)}>
          {t.filterCount(activeFilters(filters))}
          <span className={open ? 'rotate-180' : undefined}>
            <ChevronDownIcon />
          </span>
        </Button>
        <LogViews search={search} columns={columns} onView={onView} />
      </div>
      <div id={formId} hidden={!open} className="border-line bg-surface rounded-lg border px-3 py-2.5">
        {/* A change of the address resets the form. */}
        {open && (
          <FilterForm
            key={JSON.stringify(filters)}
            filters={filters}
            seesAll={seesAll}
            now={now}
            onApply={onApply}
            form={form}
          />
        )}
      </div>
    </div>
  )
}

interface LogViewsProps {
  readonly search: LogSearch
  readonly columns: readonly string[]
  readonly onView: (search: Readonly<Record<string, unknown>>) => void
}

function LogViews({ search, columns, onView }: LogViewsProps) {
  const user = useUser()
  const [chosen] = useState(() =>
    storedRecord(browserStorage(), STORAGE_KEYS.columns('logs'), v.record(v.string(), v.boolean())),
  )
  if (user === undefined) return null
  return (
    <SavedViewsMenu
      list="logs"
      userId={user.id}
      search={viewSearchOf(search)}
      columns={() => chosen.read() ?? {}}
      shape={{ columns }}
      onApply={(view) => {
        chosen.write({ ...view.columns })
        onView(view.search)
      }}
    />
  )
}
