import { clsx } from 'clsx'
import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'
import { ChevronDownIcon } from './icon.tsx'

export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: string
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly aside?: ReactNode
  readonly children: (control: ControlProps) => ReactNode
}

export function Field({ label, error, hint, aside, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = clsx(hint !== undefined && hintId, error !== undefined && errorId)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <div id={hintId} className="text-muted text-xs">
          {hint}
        </div>
      )}
      {error !== undefined && (
        <p id={errorId} className="text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}

/** 32 px high; on phones 40 px with 16-px text, so that the page does not zoom. */
export const CONTROL =
  'border-control bg-surface h-8 w-full min-w-0 rounded-md border px-2.5 text-sm max-md:h-10 max-md:text-entry ' +
  'disabled:bg-subtle disabled:text-muted disabled:cursor-not-allowed aria-invalid:border-bad'

export const MULTILINE =
  'border-control bg-surface block w-full min-w-0 resize-none rounded-md border px-2.5 py-1.5 text-sm leading-[1.125rem] ' +
  'max-md:py-2 max-md:text-entry max-md:leading-[1.375rem] aria-invalid:border-bad'

type TextInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & {
  readonly mono?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

export function TextInput({ mono = false, ...props }: TextInputProps) {
  return <input type="text" {...props} className={clsx(CONTROL, mono && 'font-mono')} />
}

/** For a select in a row of a list, whose frame shows only on hover. */
const QUIET =
  'hover:border-control h-7 w-full min-w-0 truncate rounded-md border border-transparent bg-transparent px-1.5 text-sm max-md:h-9 ' +
  'focus-visible:-outline-offset-2'

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & {
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly quiet?: boolean
  readonly ref?: Ref<HTMLSelectElement>
}

/** The platform's own select: it works everywhere, and best on phones. */
export function Select({ options, quiet = false, ...props }: SelectProps) {
  return (
    <span className={clsx('relative inline-flex max-w-full min-w-0', quiet && '-ml-1.5')}>
      <select {...props} className={clsx(quiet ? QUIET : CONTROL, 'appearance-none pr-7')}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <span className="text-muted pointer-events-none absolute inset-y-0 right-2 flex items-center">
        <ChevronDownIcon />
      </span>
    </span>
  )
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type'> & {
  readonly label: string
  readonly hint?: string
  readonly ref?: Ref<HTMLInputElement>
}

export function Checkbox({ label, hint, ...props }: CheckboxProps) {
  const hintId = useId()
  return (
    <div>
      <label className="inline-flex min-h-6 items-center gap-2 text-sm font-medium">
        <input
          {...props}
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : hintId}
          className="accent-accent-solid size-4 shrink-0"
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={hintId} className="text-muted pl-6 text-xs">
          {hint}
        </p>
      )}
    </div>
  )
}
