import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field, MULTILINE } from '../field.tsx'

interface TextAreaFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
  readonly rows?: number
}

/** A text of several lines, in a form. It grows with its content up to half the height of the window. */
export function TextAreaField<V extends FieldValues, Out>(props: TextAreaFieldProps<V, Out>) {
  const { control, name, label, hint, rows = 4 } = props
  const { field, fieldState } = useController({ control, name })
  const value: unknown = field.value
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <textarea
          {...ids}
          {...field}
          value={typeof value === 'string' ? value : ''}
          rows={rows}
          className={clsx(MULTILINE, 'field-sizing-content max-h-[50dvh] min-h-20')}
        />
      )}
    </Field>
  )
}
