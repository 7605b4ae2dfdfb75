import { LOG_TYPE } from '@sluice/contract/log'
import { type FormEvent, type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { type ControlProps, Field, Select, TextInput } from '~/ui/field.tsx'
import { activeFilters, draftOf, type FilterDraft, filtersOf } from '../model/filters/filter-draft.ts'
import type { LogFilters } from '../model/filters/log-window.ts'
import { LOG_TYPE_NAMES } from '../model/log-type.ts'
import { logTexts } from '../texts/log-texts.ts'

export interface ShownFilters {
  /** `undefined` if the end time is incomplete; the form then says so. */
  readonly read: () => LogFilters | undefined
}

const NO_FILTERS: LogFilters = {
  type: LOG_TYPE.all,
  model: '',
  token: '',
  username: '',
  channel: undefined,
  session: '',
  start: undefined,
  end: undefined,
}

export interface FilterFormProps {
  readonly filters: LogFilters
  readonly seesAll: boolean
  /** Unix milliseconds on which the default window is based. */
  readonly now: number
  readonly onApply: (filters: LogFilters) => void
  readonly form: Ref<ShownFilters>
}

export function FilterForm({ filters, seesAll, now, onApply, form }: FilterFormProps) {
  const t = useTexts(logTexts)
  // Untouched fields are compared with what the first render showed.
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
  const entry = { draft, onChange: change }
  return (
    <form
      ref={element}
      noValidate
      aria-label={t.filters}
      onSubmit={onSubmit}
      className="grid grid-cols-2 items-start gap-2 md:flex md:flex-wrap"
    >
      <TypeField {...entry} />
      <NameField {...entry} name="model" width="basis-32" />
      <NameField {...entry} name="token" width="basis-26" />
      {seesAll && <NameField {...entry} name="username" width="basis-26" />}
      {seesAll && <ChannelField {...entry} />}
      <TimeField {...entry} name="start" error={failed && wrongWindow ? t.startAfterEnd : undefined} />
      <TimeField {...entry} name="end" error={endBroken ? t.endIncomplete : undefined} />
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

interface DraftProps {
  readonly draft: FilterDraft
  readonly onChange: (part: Partial<FilterDraft>) => void
}

function TypeField({ draft, onChange }: DraftProps) {
  const t = useTexts(logTexts)
  return (
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
          onChange={(event) => onChange({ type: event.target.value })}
        />
      )}
    </FilterField>
  )
}

interface NameFieldProps extends DraftProps {
  readonly name: 'model' | 'token' | 'username'
  readonly width: string
}

function NameField({ draft, onChange, name, width }: NameFieldProps) {
  const t = useTexts(logTexts)
  return (
    <FilterField label={t[name]} width={width}>
      {(control) => (
        <TextInput
          {...control}
          name={name}
          autoCapitalize="none"
          spellCheck={false}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </FilterField>
  )
}

function ChannelField({ draft, onChange }: DraftProps) {
  const t = useTexts(logTexts)
  return (
    <FilterField label={t.channelId} width="basis-18">
      {(control) => (
        <TextInput
          {...control}
          name="channel"
          inputMode="numeric"
          value={draft.channel}
          onChange={(event) => onChange({ channel: event.target.value.replace(/\D/g, '').slice(0, 9) })}
        />
      )}
    </FilterField>
  )
}

interface TimeFieldProps extends DraftProps {
  readonly name: 'start' | 'end'
  readonly error: string | undefined
}

function TimeField({ draft, onChange, name, error }: TimeFieldProps) {
  const t = useTexts(logTexts)
  return (
    <FilterField label={t[name]} width="basis-48 max-md:col-span-2" error={error}>
      {(control) => (
        <TextInput
          {...control}
          type="datetime-local"
          name={name}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </FilterField>
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
