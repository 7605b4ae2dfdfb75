import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field, TextInput } from '../field.tsx'

/** Form value of a half-typed date. The browser reports an empty text, which would mean no date. */
const INCOMPLETE = 'incomplete'

interface DateTimeFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint: string
}

/** A local date and time, to the second. The form value is the input's text, or `INCOMPLETE` while it is half typed. */
export function DateTimeField<V extends FieldValues, Out>({ control, name, label, hint }: DateTimeFieldProps<V, Out>) {
  const { field, fieldState } = useController({ control, name })
  const take = (input: HTMLInputElement) => field.onChange(input.validity.badInput ? INCOMPLETE : input.value)
  const shown: unknown = field.value
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          {...ids}
          ref={field.ref}
          name={field.name}
          type="datetime-local"
          step={1}
          value={typeof shown === 'string' && shown !== INCOMPLETE ? shown : ''}
          {...halfTyped(take, field.onBlur)}
        />
      )}
    </Field>
  )
}

type Handlers = Required<Pick<ComponentProps<typeof TextInput>, 'onChange' | 'onBlur' | 'onKeyDown'>>

/**
 * For dates and numbers. While they are half typed, the browser reports an empty text and no change, so the input is also checked
 * when it loses focus, and on Enter before the form is submitted.
 */
function halfTyped(take: (input: HTMLInputElement) => void, onBlur: () => void): Handlers {
  return {
    onChange: (event) => take(event.target),
    onBlur: (event) => {
      take(event.target)
      onBlur()
    },
    onKeyDown: (event) => {
      if (event.key === 'Enter') take(event.currentTarget)
    },
  }
}

interface OptionalNumberFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly placeholder: string
  readonly hint?: ReactNode
}

/** Null while empty. A half-typed number is NaN, because it must not count as empty. */
export function OptionalNumberField<V extends FieldValues, Out>(props: OptionalNumberFieldProps<V, Out>) {
  const { control, name, label, placeholder, hint } = props
  const { field, fieldState } = useController({ control, name })
  const shown: unknown = field.value
  const take = ({ value: text, valueAsNumber, validity }: HTMLInputElement) =>
    field.onChange(text === '' && !validity.badInput ? null : valueAsNumber)
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          {...ids}
          ref={field.ref}
          name={field.name}
          type="number"
          inputMode="numeric"
          min={0}
          step={1}
          placeholder={placeholder}
          value={typeof shown === 'number' && !Number.isNaN(shown) ? shown : ''}
          {...halfTyped(take, field.onBlur)}
        />
      )}
    </Field>
  )
}
