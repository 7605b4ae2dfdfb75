import type { InputHTMLAttributes, ReactNode } from 'react'
import * as v from 'valibot'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/form/form-fields.tsx'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'

interface FormDialogProps {
  readonly title: string
  readonly text?: string
  /** Stands between the text and the field. */
  readonly children?: ReactNode
  /** Label of its one field. */
  readonly field: string
  readonly hint?: string
  readonly start?: string
  /** What the field must hold. */
  readonly rule: v.GenericSchema<string, string>
  readonly input?: Pick<InputHTMLAttributes<HTMLInputElement>, 'autoComplete' | 'inputMode' | 'maxLength'>
  readonly mono?: boolean
  readonly submit: string
  readonly busyLabel: string
  readonly danger?: boolean
  /** Does it with the value of the field and closes the dialog; answers what went wrong, or an empty text. */
  readonly onSubmit: (value: string) => Promise<string>
  readonly onClose: () => void
}

/** A dialog that asks for one thing: a code, a name. It stays, busy, until what was asked for is done. */
export function FormDialog(props: FormDialogProps) {
  const t = useTexts(uiTexts)
  const { form, error, busy, onSubmit } = useSchemaForm(
    v.object({ value: props.rule }),
    { value: props.start ?? '' },
    ({ value }) => props.onSubmit(value),
  )
  const close = () => {
    if (!busy) props.onClose()
  }
  return (
    <Dialog title={props.title} onClose={close}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {props.text !== undefined && <p className="text-muted text-sm">{props.text}</p>}
        {props.children}
        <TextField
          control={form.control}
          name="value"
          label={props.field}
          {...(props.hint !== undefined && { hint: props.hint })}
          {...props.input}
          mono={props.mono ?? false}
          autoCapitalize="none"
          spellCheck={false}
          data-first-focus
        />
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close} disabled={busy}>
            {t.cancel}
          </Button>
          <Button type="submit" variant={props.danger === true ? 'danger' : 'primary'} busy={busy}>
            {busy ? props.busyLabel : props.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
