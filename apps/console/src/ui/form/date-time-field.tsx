import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field, TextInput } from '../field.tsx'
import { halfTyped } from './half-typed.ts'

/** Value for a half-typed date: the browser then reports an empty text, which would mean none. */
const INCOMPLETE = 'incomplete'

interface DateTimeFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint: string
}

/** A local date and time, to the second. Its form value is the input's text, or one that is no date while it is half typed. */
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
