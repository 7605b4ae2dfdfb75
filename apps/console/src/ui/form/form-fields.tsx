import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Checkbox, Field, Select, TextInput, MULTILINE } from '../field.tsx'
import { SecretBox } from './secret-box.tsx'

interface Bound<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
}

type InputProps = Omit<ComponentProps<typeof TextInput>, 'name' | 'value' | 'defaultValue' | 'ref' | 'id'>

export function TextField<V extends FieldValues, Out>(
  props: Bound<V, Out> & InputProps & { readonly aside?: ReactNode },
) {
  const { control, name, label, hint, aside, ...input } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} hint={hint} aside={aside} error={fieldState.error?.message}>
      {(ids) => <TextInput {...input} {...ids} {...field} value={textOf(field.value)} />}
    </Field>
  )
}

/** NaN while the text is not a number, so that the schema reports what is wrong. */
export function NumberField<V extends FieldValues, Out>(props: Bound<V, Out> & InputProps) {
  const { control, name, label, hint, ...input } = props
  const { field, fieldState } = useController({ control, name })
  const shown: unknown = field.value
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          inputMode="numeric"
          type="number"
          {...input}
          {...ids}
          {...field}
          value={typeof shown === 'number' && !Number.isNaN(shown) ? shown : ''}
          onChange={(event) => field.onChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  )
}

interface SelectFieldProps {
  readonly options: ComponentProps<typeof Select>['options']
  readonly disabled?: boolean
}

export function SelectField<V extends FieldValues, Out>(props: Bound<V, Out> & SelectFieldProps) {
  const { control, name, label, hint, ...select } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => <Select {...select} {...ids} {...field} value={textOf(field.value)} />}
    </Field>
  )
}

export function CheckboxField<V extends FieldValues, Out>(
  props: Omit<Bound<V, Out>, 'hint'> & { readonly hint?: string },
) {
  const { control, name, label, hint } = props
  const { field } = useController({ control, name })
  return (
    <Checkbox
      label={label}
      {...(hint !== undefined && { hint })}
      name={field.name}
      ref={field.ref}
      onBlur={field.onBlur}
      checked={field.value === true}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

interface TextAreaFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
  readonly rows?: number
}

/** Grows with its content up to half the height of the window. */
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

interface SecretFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
}

export function SecretField<V extends FieldValues, Out>({ control, name, label, hint }: SecretFieldProps<V, Out>) {
  const { field, fieldState } = useController({ control, name })
  const value: unknown = field.value
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => <SecretBox {...ids} {...field} value={typeof value === 'string' ? value : ''} />}
    </Field>
  )
}
