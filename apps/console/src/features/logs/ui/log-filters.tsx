import { type Log, LOG_TYPE } from '@sluice/contract/log'
import { type FormEvent, type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { Button } from '~/ui/button.tsx'
import { type ControlProps, Field, Select, TextInput } from '~/ui/field.tsx'
import { ChevronDownIcon } from '~/ui/icon.tsx'
import { SavedViewsMenu } from '~/ui/saved-views/saved-views-menu.tsx'
import { activeFilters, draftOf, type FilterDraft, filtersOf } from '../model/filters/filter-draft.ts'
import { valuesIn } from '../model/filters/filter-options.ts'
import type { LogSearch } from '../model/filters/log-search.ts'
import type { LogFilters as Filters } from '../model/filters/log-window.ts'
import { LOG_TYPE_NAMES } from '../model/log-type.ts'
import { logTexts } from '../texts/log-texts.ts'
import { FilterBar } from './filter-bar.tsx'
import { viewSearchOf } from './use-log-address.ts'

/** The values in the form, including those that are typed and not yet applied. */
export interface ShownFilters {
  /** `undefined` if its end time is incomplete; the form then says so. */
  readonly read: () => Filters | undefined
}

interface FilterFormProps {
  /** The filters in force. */
  readonly filters: Filters
  /** Whether user and channel can be filtered by. */
  readonly seesAll: boolean
  /** Unix milliseconds on which the default window is based. */
  readonly now: number
  readonly onApply: (filters: Filters) => void
  /** Reads the form while it is expanded. */
  readonly form: Ref<ShownFilters>
}

interface LogFiltersProps extends FilterFormProps {
  /** The listed rows; their values are suggested. */
  readonly rows: readonly Log[]
  readonly search: LogSearch
  /** Ids of the columns that the list has. */
  readonly columns: readonly string[]
  readonly onSearch: (keyword: string) => void
  /** Called when a saved view was chosen; its part of the address has not been validated yet. */
  readonly onView: (search: Readonly<Record<string, unknown>>) => void
}

const NO_FILTERS: Filters = {
  type: LOG_TYPE.all,
  model: '',
  token: '',
  username: '',
  channel: undefined,
  session: '',
  start: undefined,
  end: undefined,
}

/** Filters in three ways: typed into the line of chips, filled into the form that unfolds below, or taken from a saved view. */
export function LogFilters({ rows, search, columns, onSearch, onView, ...parts }: LogFiltersProps) {
  const t = useTexts(logTexts)
  const formId = useId()
  const line = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  useCommand({ id: 'logs.filter', label: t.filterCommand, group: t.group, keys: 'f', run: () => line.current?.focus() })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <FilterBar
          ref={line}
          filters={parts.filters}
          seesAll={parts.seesAll}
          onApply={parts.onApply}
          known={valuesIn(rows)}
          onSearch={onSearch}
        />
        <Button aria-expanded={open} aria-controls={formId} onClick={() => setOpen(!open)}>
          {t.filterCount(activeFilters(parts.filters))}
          <span className={open ? 'rotate-180' : undefined}>
            <ChevronDownIcon />
          </span>
        </Button>
        <LogViews search={search} columns={columns} onView={onView} />
      </div>
      <div id={formId} hidden={!open} className="border-line bg-surface rounded-lg border px-3 py-2.5">
        {/* A change of the address resets the form. */}
        {open && <FilterForm key={JSON.stringify(parts.filters)} {...parts} />}
      </div>
    </div>
  )
}

function FilterForm({ filters, seesAll, now, onApply, form }: FilterFormProps) {
  const t = useTexts(logTexts)
  // The time of the first render: what was not touched is compared with what was shown.
  const [shownAt] = useState(now)
  const [draft, setDraft] = useState(() => draftOf(filters, shownAt))
  const [failed, setFailed] = useState(false)
  const [endBroken, setEndBroken] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  useImperativeHandle(form, () => ({
    read() {
      // A half-typed time reads as empty, which would mean the default.
      const end = element.current?.querySelector<HTMLInputElement>('[name=end]')
      const isBroken = end?.validity.badInput === true
      setEndBroken(isBroken)
      if (isBroken) end?.focus()
      return isBroken ? undefined : filtersOf(draft, filters, shownAt)
    },
  }))
  const wrongWindow = draft.start !== '' && draft.end !== '' && draft.start > draft.end
  const change = (part: Partial<FilterDraft>) => {
    setEndBroken(false)
    setDraft({ ...draft, ...part })
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setFailed(wrongWindow)
    if (!wrongWindow) onApply(filtersOf(draft, filters, shownAt))
  }
  const text = (name: 'model' | 'token' | 'username', width: string) => (
    <FilterField label={t[name]} width={width}>
      {(control) => (
        <TextInput
          {...control}
          name={name}
          autoCapitalize="none"
          spellCheck={false}
          value={draft[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </FilterField>
  )
  const time = (name: 'start' | 'end', error: string | undefined) => (
    <FilterField label={t[name]} width="basis-48 max-md:col-span-2" error={error}>
      {(control) => (
        <TextInput
          {...control}
          type="datetime-local"
          name={name}
          value={draft[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </FilterField>
  )
  return (
    <form
      ref={element}
      noValidate
      aria-label={t.filters}
      onSubmit={onSubmit}
      className="grid grid-cols-2 items-start gap-2 md:flex md:flex-wrap"
    >
      <FilterField label={t.type} width="basis-28">
        {(control) => (
          <Select
            {...control}
            name="type"
            value={draft.type}
            options={[
              { value: String(LOG_TYPE.all), label: t.allTypes },
              ...LOG_TYPE_NAMES.map((name) => ({ value: String(LOG_TYPE[name]), label: t.types[name] })),
            ]}
            onChange={(event) => change({ type: event.target.value })}
          />
        )}
      </FilterField>
      {text('model', 'basis-32')}
      {text('token', 'basis-26')}
      {seesAll && text('username', 'basis-26')}
      {seesAll && (
        <FilterField label={t.channelId} width="basis-18">
          {(control) => (
            <TextInput
              {...control}
              name="channel"
              inputMode="numeric"
              value={draft.channel}
              onChange={(event) => change({ channel: event.target.value.replace(/\D/g, '').slice(0, 9) })}
            />
          )}
        </FilterField>
      )}
      {time('start', failed && wrongWindow ? t.startAfterEnd : undefined)}
      {time('end', endBroken ? t.endIncomplete : undefined)}
      <div className="flex gap-1 max-md:col-span-2 md:mt-6.5">
        <Button type="submit" variant="primary">
          {t.apply}
        </Button>
        {activeFilters(filters) > 0 && (
          <Button variant="ghost" onClick={() => onApply(NO_FILTERS)}>
            {t.reset}
          </Button>
        )}
      </div>
    </form>
  )
}

interface FilterFieldProps {
  readonly label: string
  readonly width: string
  readonly error?: string | undefined
  readonly children: (control: ControlProps) => ReactNode
}

function FilterField({ width, ...field }: FilterFieldProps) {
  return (
    <div className={`min-w-0 grow md:max-w-64 ${width}`}>
      <Field {...field} />
    </div>
  )
}

interface LogViewsProps {
  readonly search: LogSearch
  readonly columns: readonly string[]
  readonly onView: (search: Readonly<Record<string, unknown>>) => void
}

/** The saved views of the logs. Columns are read and written through the record that the table keeps. */
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
