import type { InputHTMLAttributes, ReactNode } from 'react'
import * as v from 'valibot'
import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { accountTexts } from '../texts/account-texts.ts'

export interface AskDialogProps {
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
  readonly field: string
  readonly hint?: string
  readonly start?: string
  readonly rule: v.GenericSchema<string, string>
  readonly input?: Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'autoComplete' | 'inputMode' | 'maxLength'>
  readonly mono?: boolean
  readonly submit: string
  readonly busyLabel: string
  readonly danger?: boolean
  /** Returns what went wrong, or an empty text. */
  readonly onSubmit: (value: string) => Promise<string>
  readonly onClose: () => void
}

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

interface StepUpDialogProps {
  readonly asked: StepUpField
  readonly text: string
  /** Sends the change again with the proof; returns what went wrong, or an empty text. */
  readonly onSubmit: (given: Readonly<Partial<Record<StepUpField, string>>>) => Promise<string>
  readonly onClose: () => void
}

/** Asks for the password or a one-time code before a change that would open the account to others. */
export function StepUpDialog({ asked, text, onSubmit, onClose }: StepUpDialogProps) {
  const t = useTexts(accountTexts)
  const isPassword = asked === 'current_password'
  return (
    <AskDialog
      title={t.stepUpTitle}
      text={text}
      field={isPassword ? t.stepUpPassword : t.stepUpCode}
      rule={v.pipe(v.string(), v.trim(), v.minLength(1, isPassword ? t.stepUpPasswordMissing : t.stepUpCodeMissing))}
      input={isPassword ? { type: 'password', autoComplete: 'current-password' } : { autoComplete: 'one-time-code' }}
      mono={!isPassword}
      submit={t.stepUpConfirm}
      busyLabel={t.saving}
      onSubmit={(value) => onSubmit({ [asked]: value })}
      onClose={onClose}
    />
  )
}

export type StepUpField = 'current_password' | 'totp_code'

const FLAGS: readonly (readonly [flag: string, field: StepUpField])[] = [
  ['password_required', 'current_password'],
  ['totp_required', 'totp_code'],
]

/** The field that a refused change requires; undefined when it was refused for another reason, or requires a new sign-in. */
export function stepUpOf({ code, data }: Failure): StepUpField | undefined {
  if (code !== 'step_up_required' || typeof data !== 'object' || data === null) return undefined
  return FLAGS.find(([flag]) => flag in data)?.[1]
}
