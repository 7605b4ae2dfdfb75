import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react'
import { formatDateTime } from '~/lib/format/date.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type Listbox, LISTBOX, OPTION, useListbox, mergedRef } from '~/ui/combobox/use-listbox.ts'
import { useSuggestions } from '~/ui/combobox/use-suggestions.ts'
import { CloseIcon } from '~/ui/icon.tsx'
import { findFilterValues } from '../calls.ts'
import { type FilterOption, filterOptions, type KnownValues } from '../model/filters/filter-options.ts'
import {
  type Chip,
  chipsOf,
  KEYS_OF_ALL,
  parseTerms,
  type Term,
  type TermKey,
  termText,
  typedLast,
  withoutChip,
  withTerm,
} from '../model/filters/filter-terms.ts'
import type { LogFilters } from '../model/filters/log-window.ts'
import { LOG_TYPE_NAMES } from '../model/log-type.ts'
import { logTexts } from '../texts/log-texts.ts'

interface FilterBarProps {
  readonly filters: LogFilters
  readonly seesAll: boolean
  /** Values of the listed rows, which are suggested at once. */
  readonly known: KnownValues
  readonly onApply: (filters: LogFilters) => void
  readonly onSearch: (keyword: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

const LINE_MAX = 200
const FIXED_KEYS: ReadonlySet<TermKey> = new Set(['type', 'last'])

export function FilterBar({ ref, ...props }: FilterBarProps) {
  const { filters, seesAll, onApply } = props
  const t = useTexts(logTexts)
  const remarkId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { line, type, unknown, options, listbox } = useFilterLine(props)
  const chips = chipsOf(filters, seesAll, windowText(filters))
  const remove = (chip: Chip) => {
    onApply(withoutChip(filters, chip.key))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = chips.at(-1)
    if (event.key === 'Backspace' && line === '' && last !== undefined) remove(last)
    else listbox.inputProps.onKeyDown(event)
  }
  return (
    <div className="relative min-w-0 grow">
      <div
        role="group"
        aria-label={t.filtersInForce}
        className="border-control bg-surface focus-within:outline-accent flex min-h-8 flex-wrap items-center gap-1 rounded-md border px-1 py-0.5 focus-within:outline-2 focus-within:outline-offset-2 max-md:min-h-10"
      >
        {chips.map((chip) => (
          <FilterChip key={chip.key} chip={chip} onRemove={() => remove(chip)} />
        ))}
        <input
          {...listbox.inputProps}
          ref={mergedRef(input, ref)}
          type="text"
          aria-expanded={listbox.open && options.length > 0}
          aria-label={t.addFilter}
          aria-describedby={remarkId}
          aria-invalid={unknown === '' ? undefined : true}
          placeholder={chips.length === 0 ? t.filterHint : t.addFilter}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={LINE_MAX}
          value={line}
          onChange={(event) => type(event.target.value)}
          onClick={() => listbox.setOpen(true)}
          onBlur={listbox.close}
          onKeyDown={onKeyDown}
          className="max-md:text-entry h-6 min-w-40 grow basis-40 bg-transparent px-1.5 text-sm outline-none"
        />
      </div>
      <OptionList listbox={listbox} options={options} />
      <p id={remarkId} role="status" className="text-bad mt-0.5 text-xs empty:hidden">
        {unknown !== '' && t.unknownTerm(unknown)}
      </p>
    </div>
  )
}

/** `unknown`: terms that were refused when the line was applied. */
function useFilterLine({ filters, seesAll, known, onApply, onSearch }: Omit<FilterBarProps, 'ref'>) {
  const [line, setLine] = useState('')
  const [unknown, setUnknown] = useState('')
  const options = useFilterOptions(line, seesAll, known)
  const type = (next: string) => {
    setLine(next)
    setUnknown('')
    listbox.setActive(-1)
    listbox.setOpen(true)
  }
  const apply = (text: string) => {
    const { terms, words } = parseTerms(text)
    const result = applied(filters, terms, seesAll, Date.now())
    const rest = [...result.refused.map(termText), ...(terms.length === 0 ? [] : [words])].filter(Boolean).join(' ')
    setUnknown(result.refused.map(termText).join(' '))
    setLine(rest)
    listbox.close()
    if (result.refused.length < terms.length) onApply(result.filters)
    else if (terms.length === 0 && words !== '') onSearch(words)
  }
  const choose = (option: FilterOption | undefined) => {
    if (option === undefined) return
    if (option.complete) apply(option.line)
    else type(option.line)
  }
  const listbox = useListbox({
    count: options.length,
    onChoose: (index) => choose(options[index]),
    onEnter: () => apply(line),
  })
  return { line, type, unknown, options, listbox }
}

/** Suggests what is known here at once, and what the gateway knows once typing pauses. */
function useFilterOptions(line: string, seesAll: boolean, known: KnownValues): readonly FilterOption[] {
  const call = useCall()
  const { key, value } = typedLast(line)
  // A user without permission to request these would be signed out for trying.
  const forbidden = key !== undefined && !seesAll && KEYS_OF_ALL.has(key)
  const asked = key === undefined || forbidden || FIXED_KEYS.has(key) ? '' : value
  const suggestions = useSuggestions(asked, (text, signal) => findFilterValues(call, key, text, signal), key)
  const found = suggestions.state === 'ready' ? suggestions.items : []
  return filterOptions(
    line,
    seesAll,
    known,
    found.map(({ label, hint }) => ({ value: label, ...(hint !== undefined && { hint }) })),
  )
}

interface OptionListProps {
  readonly listbox: Listbox
  readonly options: readonly FilterOption[]
}

function OptionList({ listbox, options }: OptionListProps) {
  const t = useTexts(logTexts)
  const open = listbox.open && options.length > 0
  return (
    <div {...listbox.listProps} aria-label={t.addFilter} hidden={!open} className={LISTBOX}>
      {options.map((option, index) => (
        <div key={option.id} {...listbox.optionProps(index)} className={OPTION}>
          <span className="min-w-0 grow truncate font-mono text-xs">{option.label}</span>
          <span className="text-muted text-xs">{option.complete ? option.hint : t.termHints[option.key]}</span>
        </div>
      ))}
    </div>
  )
}

function FilterChip({ chip: { key, value }, onRemove }: { chip: Chip; onRemove: () => void }) {
  const t = useTexts(logTexts)
  const type = LOG_TYPE_NAMES.find((name) => name === value)
  const shown = key === 'type' && type !== undefined ? t.types[type] : value
  return (
    <span className="bg-accent-soft text-accent inline-flex h-6 max-w-full items-center gap-1 rounded ps-2 text-xs">
      <span className="min-w-0 truncate">
        {t.chipNames[key]} <span className="font-medium">{shown}</span>
      </span>
      <button
        type="button"
        aria-label={t.removeFilter(t.chipNames[key], shown)}
        onClick={onRemove}
        className="hover:bg-hover grid size-6 shrink-0 place-items-center rounded"
      >
        <CloseIcon />
      </button>
    </span>
  )
}

function applied(filters: LogFilters, terms: readonly Term[], seesAll: boolean, now: number) {
  const refused: Term[] = []
  let next = filters
  for (const term of terms) {
    const changed = seesAll || !KEYS_OF_ALL.has(term.key) ? withTerm(next, term, now) : undefined
    if (changed === undefined) refused.push(term)
    else next = changed
  }
  return { filters: next, refused }
}

function windowText({ start, end }: LogFilters): string {
  const [from, to] = [start, end].map((at) => (at === undefined ? '' : formatDateTime(at).slice(0, -3)))
  return `${from} – ${to}`.trim()
}
