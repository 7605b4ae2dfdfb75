import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { MultiSelect } from '../combobox/multi-select.tsx'
import { Field } from '../field.tsx'

interface MultiSelectFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
  readonly aside?: ReactNode
  readonly placeholder: string
  readonly options: readonly string[]
  readonly allowOther?: boolean
}

export function MultiSelectField<V extends FieldValues, Out>(props: MultiSelectFieldProps<V, Out>) {
  const { control, name, label, hint, aside, ...select } = props
  const { field, fieldState } = useController({ control, name })
  const value: unknown = field.value
  return (
    <Field label={label} hint={hint} aside={aside} error={fieldState.error?.message}>
      {(ids) => (
        <MultiSelect
          {...select}
          control={ids}
          label={label}
          ref={field.ref}
          value={Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  )
}
