import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field, TextInput } from '../field.tsx'
import { halfTyped } from './half-typed.ts'

interface OptionalNumberFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  /** Text that says what an empty field means. */
  readonly placeholder: string
  readonly hint?: ReactNode
}

/** A field for a number that can be left out: null while empty. A half-typed number is NaN: it must not count as empty. */
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
