import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '../field.tsx'
import { SecretBox } from './secret-box.tsx'

interface SecretFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
}

/** A credential of one or several lines, in a form. */
export function SecretField<V extends FieldValues, Out>({ control, name, label, hint }: SecretFieldProps<V, Out>) {
  const { field, fieldState } = useController({ control, name })
  const value: unknown = field.value
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => <SecretBox {...ids} {...field} value={typeof value === 'string' ? value : ''} />}
    </Field>
  )
}
