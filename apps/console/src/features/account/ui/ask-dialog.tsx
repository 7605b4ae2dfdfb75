import type { InputHTMLAttributes, ReactNode } from 'react'
import * as v from 'valibot'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'

export interface AskDialogProps {
  readonly title: string
  readonly text?: string
  /** Shown between the text and the field. */
  readonly children?: ReactNode
  /** Label of its one field. */
  readonly field: string
  readonly hint?: string
  readonly start?: string
  /** What the field must hold. */
  readonly rule: v.GenericSchema<string, string>
  readonly input?: Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'autoComplete' | 'inputMode' | 'maxLength'>
  readonly mono?: boolean
  readonly submit: string
  readonly busyLabel: string
  readonly danger?: boolean
  /** Performs the action with the value of the field and closes the dialog; returns what went wrong, or an empty text. */
  readonly onSubmit: (value: string) => Promise<string>
  readonly onClose: () => void
}

/** A dialog that asks for one thing: a code, a name. */
export function AskDialog(props: AskDialogProps) {
  const asked = useSchemaForm(v.object({ value: props.rule }), { value: props.start ?? '' }, ({ value }) =>
    props.onSubmit(value),
  )
  const { title, text, submit, busyLabel, danger, onClose } = props
  return (
    <FormDialog
      title={title}
      text={text}
      form={asked}
      submit={submit}
      busyLabel={busyLabel}
      danger={danger}
      onClose={onClose}
    >
      {props.children}
      <TextField
        control={asked.form.control}
        name="value"
        label={props.field}
        {...(props.hint !== undefined && { hint: props.hint })}
        {...props.input}
        mono={props.mono ?? false}
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus
      />
    </FormDialog>
  )
}
