import { LOG_TYPE } from '@sluice/contract/log'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useIsBelow } from '../../../lib/dom/use-media.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { type ControlProps, Field, Select, TextInput } from '../../../ui/field.tsx'
import { ChevronDownIcon } from '../../../ui/sign-icons.tsx'
import { activeFilters, draftOf, type FilterDraft, filtersOf } from '../model/filter-draft.ts'
import { LOG_TYPE_NAMES } from '../model/log-type.ts'
import type { LogFilters as Filters } from '../model/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'

interface LogFiltersProps {
  /** The filters in force. */
  readonly filters: Filters
  /** Whether user and channel can be asked for. */
  readonly seesAll: boolean
  /** Unix milliseconds around which the default window lies. */
  readonly now: number
  readonly onApply: (filters: Filters) => void
}

const NO_FILTERS: Filters = {
  type: LOG_TYPE.all,
  model: '',
  token: '',
  username: '',
  channel: undefined,
  start: undefined,
  end: undefined,
}

/** The filters of the list, in force from Apply or Enter on. On phones they fold away, so that rows come first. */
export function LogFilters(props: LogFiltersProps) {
  const t = useTexts(logTexts)
  const phone = useIsBelow('tablet')
  // Another state of the address starts the form anew.
  const form = <FilterForm key={JSON.stringify(props.filters)} {...props} />
  if (!phone) return form
  return (
    <details className="border-line bg-surface rounded-lg border">
      <summary className="flex h-10 items-center justify-between px-3 text-sm font-medium">
        {t.filterCount(activeFilters(props.filters))}
        <span className="in-open:rotate-180">
          <ChevronDownIcon />
        </span>
      </summary>
      <div className="px-3 pb-3">{form}</div>
    </details>
  )
}

function FilterForm({ filters, seesAll, now, onApply }: LogFiltersProps) {
  const t = useTexts(logTexts)
  // The moment of the first look: what was not touched is compared with what was shown.
  const [shownAt] = useState(now)
  const [draft, setDraft] = useState(() => draftOf(filters, shownAt))
  const [failed, setFailed] = useState(false)
  const wrongWindow = draft.start !== '' && draft.end !== '' && draft.start > draft.end
  const change = (part: Partial<FilterDraft>) => setDraft({ ...draft, ...part })
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
      {time('end', undefined)}
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
