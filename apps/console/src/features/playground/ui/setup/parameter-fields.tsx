import type { Capabilities } from '@sluice/contract/price-list'
import { useId, type KeyboardEvent, useState } from 'react'
import {
  type Effort,
  EFFORTS,
  type RangedParameter,
  DEFAULT_PARAMETERS,
  RANGES,
  steppedValue,
} from '~/features/playground/model/parameters.ts'
import { setupTexts } from '~/features/playground/texts/setup-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { Field, Select, TextInput } from '~/ui/field.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Switch } from '~/ui/switch.tsx'
import { useSetup } from '../use-playground.ts'
import { useSetupControls } from './setup-controls.ts'

/** Each slider with the capability that its model needs; without one, it applies to every model. */
const SLIDERS = [
  ['temperature', undefined],
  ['maxTokens', undefined],
  ['maxCompletionTokens', 'supportsMaxCompletionTokens'],
  ['topP', 'supportsTopP'],
  ['topK', 'supportsTopK'],
  ['frequencyPenalty', 'supportsFrequencyPenalty'],
  ['presencePenalty', 'supportsPresencePenalty'],
] as const satisfies readonly (readonly [RangedParameter, keyof Capabilities | undefined])[]

export function ParameterFields() {
  const t = useTexts(setupTexts)
  const { capabilities, parameters, change } = useSetupControls()
  const onlyFor = useOnlyFor()
  const limitNote = useLimitNote()
  return (
    <div className="flex flex-col gap-2">
      {SLIDERS.map(([name, needs]) => {
        if (needs !== undefined && !capabilities[needs]) return null
        return (
          <ParameterSlider
            key={name}
            name={name}
            value={parameters[name]}
            onChange={(value) => change({ [name]: value })}
            note={name === 'maxTokens' ? limitNote : onlyFor(needs)}
          />
        )
      })}
      {capabilities.supportsStop && (
        <Field label={t.parameters.stopSequences} hint={onlyFor('supportsStop') ?? t.stopHint}>
          {(control) => (
            <TextInput
              {...control}
              spellCheck={false}
              value={parameters.stopSequences}
              onChange={(event) => change({ stopSequences: event.target.value })}
            />
          )}
        </Field>
      )}
      {capabilities.supportsReasoningEffort && (
        <Field label={t.parameters.reasoningEffort} hint={onlyFor('supportsReasoningEffort')}>
          {(control) => (
            <Select
              {...control}
              options={EFFORTS.map((effort) => ({ value: effort, label: t.efforts[effort] }))}
              value={parameters.reasoningEffort}
              onChange={(event) => change({ reasoningEffort: effortOf(event.target.value) })}
            />
          )}
        </Field>
      )}
      {capabilities.supportsThinking && <Thinking note={onlyFor('supportsThinking')} />}
    </div>
  )
}

function Thinking({ note }: { note: string | undefined }) {
  const t = useTexts(setupTexts)
  const { parameters, change } = useSetupControls()
  return (
    <>
      <SwitchRow
        label={t.parameters.thinkingEnabled}
        note={note}
        checked={parameters.thinkingEnabled}
        onChange={(thinkingEnabled) => change({ thinkingEnabled })}
      />
      {parameters.thinkingEnabled && (
        <ParameterSlider
          name="thinkingBudgetTokens"
          value={parameters.thinkingBudgetTokens}
          onChange={(thinkingBudgetTokens) => change({ thinkingBudgetTokens })}
        />
      )}
    </>
  )
}

interface SwitchRowProps {
  readonly label: string
  readonly note?: string | undefined
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function SwitchRow({ label, note, checked, onChange }: SwitchRowProps) {
  const id = useId()
  return (
    <div>
      <div className="flex min-h-8 items-center justify-between gap-3">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        <Switch id={id} checked={checked} onChange={(event) => onChange(event.target.checked)} />
      </div>
      {note !== undefined && <p className="text-muted text-xs">{note}</p>}
    </div>
  )
}

/** Names the model that a parameter applies to, if the other model does not accept it. */
function useOnlyFor(): (needs: keyof Capabilities | undefined) => string | undefined {
  const t = useTexts(setupTexts)
  const { models, capabilitiesOf } = useSetup()
  return (needs) => {
    const takers = models.filter((model) => needs === undefined || capabilitiesOf(model)[needs])
    return takers.length === models.length ? undefined : t.onlyFor(takers.join(', '))
  }
}

/** Warns if a model never answers at the requested length. */
function useLimitNote(): string | undefined {
  const t = useTexts(setupTexts)
  const { models, parameters } = useSetupControls()
  const limits = models.models.flatMap((model) => {
    const limit = models.answerLimitOf(model)
    return limit !== undefined && limit < parameters.maxTokens ? [t.answerLimit(model, formatCount(limit))] : []
  })
  return limits.length === 0 ? undefined : limits.join(' ')
}

function effortOf(text: string): Effort {
  return EFFORTS.find((effort) => effort === text) ?? 'none'
}

interface ParameterSliderProps {
  readonly name: RangedParameter
  readonly value: number
  readonly onChange: (value: number) => void
  readonly note?: string | undefined
}

function ParameterSlider({ name, value, onChange, note }: ParameterSliderProps) {
  const t = useTexts(setupTexts)
  const id = useId()
  const label = t.parameters[name]
  const tip = t.tips[name]
  const { min, max, step } = RANGES[name]
  const initial = DEFAULT_PARAMETERS[name]
  // Applies as soon as it is a number in the range; an incomplete one stays here until the user leaves the field.
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

/** Accepts a point or a comma; undefined for anything else. */
function numberOf(text: string): number | undefined {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || Number.isNaN(number) ? undefined : number
}
