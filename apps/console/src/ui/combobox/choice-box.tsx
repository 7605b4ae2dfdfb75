import { clsx } from 'clsx'
import { type Ref, useRef, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { CONTROL, type ControlProps } from '../field.tsx'
import { ChevronDownIcon, CloseIcon } from '../icon.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { matchingOptions, mergedRef, LISTBOX, OPTION, useListbox } from './use-listbox.ts'

export interface Choice {
  /** Unique; typing any part of it finds the option. */
  readonly value: string
  readonly label: string
  readonly description?: string | undefined
}

interface ChoiceBoxProps {
  readonly control: ControlProps
  readonly label: string
  readonly placeholder: string
  readonly options: readonly Choice[]
  /** Value of the chosen option; '' for none. */
  readonly value: string
  /** Called with the chosen option, or with '' once the text was cleared. */
  readonly onChange: (value: string) => void
  readonly onType?: (text: string, found: number) => void
  readonly empty: string
  readonly most?: number
  readonly ref?: Ref<HTMLInputElement>
}

/**
 * Leaving the field with an incomplete name restores the chosen option; clearing the text clears the choice. Enter selects the
 * active option, otherwise the first match.
 */
export function ChoiceBox(props: ChoiceBoxProps) {
  const { control, label, value } = props
  const t = useTexts(uiTexts)
  const input = useRef<HTMLInputElement>(null)
  const { text, found, choose, type, restore, listbox } = useTypedOption(props)
  return (
    <div className="relative">
      <input
        {...control}
        {...listbox.inputProps}
        ref={mergedRef(input, props.ref)}
        type="text"
        spellCheck={false}
        placeholder={props.placeholder}
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onClick={() => listbox.setOpen(true)}
        onBlur={restore}
        className={clsx(CONTROL, value === '' ? 'pe-8' : 'pe-14', 'truncate')}
      />
      <span className="absolute inset-y-0 end-0.5 flex items-center">
        {value !== '' && (
          <IconButton
            label={t.clearChoice(label)}
            onClick={() => {
              choose('')
              input.current?.focus()
            }}
          >
            <CloseIcon />
          </IconButton>
        )}
        <span className="text-muted pointer-events-none px-1.5">
          <ChevronDownIcon />
        </span>
      </span>
      <div {...listbox.listProps} aria-label={label} hidden={!listbox.open} className={LISTBOX}>
        {found.map((option, index) => (
          <div
            key={option.value}
            {...listbox.optionProps(index)}
            className={clsx(OPTION, option.value === value && 'font-medium')}
          >
            <OptionText option={option} />
          </div>
        ))}
        {found.length === 0 && (
          <div className="text-muted px-2.5 py-1.5">{props.options.length === 0 ? props.empty : t.noMatches}</div>
        )}
      </div>
    </div>
  )
}

function useTypedOption({ options, value, onChange, onType, most }: ChoiceBoxProps) {
  // Undefined while nothing is being typed; the field then shows the choice.
  const [typed, setTyped] = useState<string>()
  const byValue = new Map(options.map((option) => [option.value, option]))
  const matching = (text: string) => matchingOptions([...byValue.keys()], text)
  const found = matching(typed ?? '')
    .slice(0, most)
    .flatMap((name) => byValue.get(name) ?? [])
  const restore = () => {
    setTyped(undefined)
    listbox.close()
  }
  const choose = (wanted: string) => {
    restore()
    onChange(wanted)
  }
  const type = (text: string) => {
    setTyped(text)
    listbox.setActive(-1)
    listbox.setOpen(true)
    if (text.trim() === '' && value !== '') onChange('')
    onType?.(text, matching(text).length)
  }
  const listbox = useListbox({
    count: found.length,
    onChoose: (index) => {
      const wanted = found[index]
      if (wanted !== undefined) choose(wanted.value)
    },
    onEnter: () => {
      const [first] = found
      if (typed !== undefined && typed.trim() !== '' && first !== undefined) choose(first.value)
    },
  })
  return { text: typed ?? byValue.get(value)?.label ?? value, found, choose, type, restore, listbox }
}

function OptionText({ option: { label, description } }: { option: Choice }) {
  return (
    <span className="min-w-0">
      <span className="block truncate">{label}</span>
      {description !== undefined && (
        <span className="text-muted block truncate text-xs font-normal">{description}</span>
      )}
    </span>
  )
}
