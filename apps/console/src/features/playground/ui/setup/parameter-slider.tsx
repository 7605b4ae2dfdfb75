import { type KeyboardEvent, useId, useState } from 'react'
import {
  DEFAULT_PARAMETERS,
  RANGES,
  type RangedParameter,
  steppedValue,
} from '~/features/playground/model/parameters.ts'
import { setupTexts } from '~/features/playground/texts/setup/setup-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'

interface ParameterSliderProps {
  readonly name: RangedParameter
  readonly value: number
  readonly onChange: (value: number) => void
  /** Shown below the slider. */
  readonly note?: string | undefined
}

/** A number by slider or by keyboard, with a button that restores its default. */
export function ParameterSlider({ name, value, onChange, note }: ParameterSliderProps) {
  const t = useTexts(setupTexts)
  const id = useId()
  const label = t.parameters[name]
  const tip = t.tips[name]
  const { min, max, step } = RANGES[name]
  const initial = DEFAULT_PARAMETERS[name]
  // A typed value takes effect as soon as it is a number in the range; an incomplete one stays here until the field is left.
  const [typed, setTyped] = useState<string>()
  const take = (text: string) => {
    setTyped(text)
    const number = numberOf(text)
    if (number !== undefined && number >= min && number <= max) onChange(steppedValue(name, number))
  }
  const settle = () => {
    const number = typed === undefined ? undefined : numberOf(typed)
    if (number !== undefined) onChange(steppedValue(name, number))
    setTyped(undefined)
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Enter') settle()
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    setTyped(undefined)
    onChange(steppedValue(name, value + steps * step))
  }
  return (
    <div className="flex flex-col">
      <div className="flex h-8 items-center gap-1">
        <label htmlFor={id} data-tip={tip} className="min-w-0 grow truncate text-sm">
          {label}
        </label>
        {value !== initial && (
          <IconButton label={t.resetOne(label, String(initial))} onClick={() => onChange(initial)}>
            <RefreshIcon />
          </IconButton>
        )}
        <input
          type="text"
          inputMode={min < 0 ? 'text' : 'decimal'}
          autoComplete="off"
          aria-label={label}
          value={typed ?? value}
          onChange={(event) => take(event.target.value)}
          onBlur={settle}
          onKeyDown={move}
          className="hover:border-control focus:border-control -me-1.5 h-7 w-20 rounded-md border border-transparent bg-transparent px-1.5 text-end text-sm tabular-nums max-md:text-entry"
        />
      </div>
      <input
        id={id}
        type="range"
        aria-description={tip}
        {...{ min, max, step }}
        value={value}
        onChange={(event) => onChange(steppedValue(name, event.target.valueAsNumber))}
        className="accent-accent h-6 w-full cursor-pointer"
      />
      {note !== undefined && <p className="text-muted text-xs">{note}</p>}
    </div>
  )
}

/** A number as people write it, with a point or comma; undefined for anything else. */
function numberOf(text: string): number | undefined {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || Number.isNaN(number) ? undefined : number
}
