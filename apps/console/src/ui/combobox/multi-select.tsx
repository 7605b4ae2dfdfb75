import { clsx } from 'clsx'
import { type Ref, useRef, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ControlProps } from '../field.tsx'
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../icon.tsx'
import { PlusIcon } from '../icons.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { matchingOptions, mergedRef, LISTBOX, OPTION, useListbox } from './use-listbox.ts'

interface MultiSelectProps {
  readonly control: ControlProps
  readonly label: string
  readonly placeholder: string
  readonly options: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly onBlur?: () => void
  /** Accepts texts that are not among the options: by Enter, by "Add", or by a comma. */
  readonly allowOther?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** Typing finds options. The chosen ones are chips; Backspace removes the last. */
export function MultiSelect(props: MultiSelectProps) {
  const { control, label, value } = props
  const input = useRef<HTMLInputElement>(null)
  const choice = useTypedChoice(props)
  const { text, toggle, type, listbox } = choice
  return (
    <div className="relative">
      <div
        className={clsx(
          'border-control bg-surface focus-within:outline-accent flex max-h-44 flex-wrap items-center gap-1 overflow-y-auto rounded-md border p-1 pr-7 focus-within:outline-2 focus-within:outline-offset-2',
          control['aria-invalid'] === true && 'border-bad',
        )}
      >
        {value.map((name) => (
          <Chip key={name} name={name} onRemove={() => toggle(name)} />
        ))}
        <input
          {...control}
          {...listbox.inputProps}
          ref={mergedRef(input, props.ref)}
          type="text"
          placeholder={value.length === 0 ? props.placeholder : ''}
          value={text}
          onChange={(event) => type(event.target.value)}
          onClick={() => listbox.setOpen(true)}
          onBlur={() => {
            listbox.close()
            props.onBlur?.()
          }}
          onKeyDown={(event) => {
            const last = value.at(-1)
            if (event.key === 'Backspace' && text === '' && last !== undefined) toggle(last)
            listbox.inputProps.onKeyDown(event)
          }}
          className="h-6 min-w-32 grow bg-transparent px-1.5 text-sm outline-none max-md:h-8 max-md:text-entry"
        />
        <span className="text-muted pointer-events-none absolute top-2 right-2 max-md:top-3">
          <ChevronDownIcon />
        </span>
      </div>
      <ChoiceList label={label} value={value} choice={choice} />
    </div>
  )
}

/** `wanted` is the typed text if it can be added to the options. */
function useTypedChoice({ options, value, onChange, allowOther = false }: MultiSelectProps) {
  const [text, setText] = useState('')
  const matches = matchingOptions(options, text)
  const wanted = text.trim()
  const addable = allowOther && wanted !== '' && !options.includes(wanted) && !value.includes(wanted)
  const toggle = (name: string) => {
    onChange(value.includes(name) ? value.filter((other) => other !== name) : [...value, name])
    setText('')
  }
  const type = (typed: string) => {
    listbox.setActive(-1)
    listbox.setOpen(true)
    const names = typed.split(/[,\n]/).map((name) => name.trim())
    if (!allowOther || names.length < 2) return setText(typed)
    onChange([...new Set([...value, ...names.slice(0, -1).filter(Boolean)])])
    setText(names.at(-1) ?? '')
  }
  const listbox = useListbox({
    count: matches.length + (addable ? 1 : 0),
    onChoose: (index) => {
      const name = matches[index] ?? wanted
      if (name !== '') toggle(name)
    },
    onEnter: () => {
      if (addable || options.includes(wanted)) toggle(wanted)
    },
  })
  return { text, type, matches, wanted: addable ? wanted : undefined, toggle, listbox }
}

interface ChoiceListProps extends Pick<MultiSelectProps, 'label' | 'value'> {
  readonly choice: ReturnType<typeof useTypedChoice>
}

function ChoiceList({ label, value, choice: { matches, wanted, listbox } }: ChoiceListProps) {
  const t = useTexts(uiTexts)
  return (
    <div
      {...listbox.listProps}
      aria-label={label}
      aria-multiselectable="true"
      hidden={!listbox.open}
      className={LISTBOX}
    >
      {matches.map((name, index) => {
        const chosen = value.includes(name)
        return (
          <div key={name} {...listbox.optionProps(index)} aria-selected={chosen} className={OPTION}>
            <span className={clsx('text-accent', !chosen && 'invisible')}>
              <CheckIcon />
            </span>
            <span className="min-w-0 truncate">{name}</span>
          </div>
        )
      })}
      {wanted !== undefined && (
        <div {...listbox.optionProps(matches.length)} aria-selected={false} className={OPTION}>
          <PlusIcon />
          <span className="min-w-0 truncate">{t.addItem(wanted)}</span>
        </div>
      )}
      {matches.length === 0 && wanted === undefined && <div className="text-muted px-2.5 py-1.5">{t.noMatches}</div>}
    </div>
  )
}

function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  const t = useTexts(uiTexts)
  return (
    <span className="bg-subtle inline-flex h-6 max-w-full items-center gap-0.5 rounded pl-2 text-xs">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={t.removeItem(name)}
        onClick={onRemove}
        className="text-muted hover:text-ink inline-flex size-6 items-center justify-center rounded"
      >
        <CloseIcon />
      </button>
    </span>
  )
}
