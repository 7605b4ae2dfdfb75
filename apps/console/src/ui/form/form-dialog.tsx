import { type ReactNode, useId } from 'react'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Notice } from '../notice.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import type { FormState } from './use-schema-form.ts'

interface FormDialogProps {
  readonly title: string
  /** Stands above the fields. */
  readonly text?: string | undefined
  /** What `useSchemaForm` answers; its `onSave` closes the dialog when it is done. */
  readonly form: FormState
  readonly submit: string
  /** What the button reads while it is being saved. */
  readonly busyLabel: string
  readonly danger?: boolean | undefined
  /** Stands across from the buttons: another way to the same. */
  readonly aside?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form in a dialog. It stays, busy, until what it asks for is done; what went wrong stands above its buttons. */
export function FormDialog(props: FormDialogProps) {
  const t = useTexts(uiTexts)
  const id = useId()
  const { error, busy, onSubmit } = props.form
  const close = () => {
    if (!busy) props.onClose()
  }
  return (
    <Dialog
      title={props.title}
      onClose={close}
      footer={
        <>
          {props.aside !== undefined && <span className="grow">{props.aside}</span>}
          <Button onClick={close} disabled={busy}>
            {t.cancel}
          </Button>
          <Button type="submit" form={id} variant={props.danger === true ? 'danger' : 'primary'} busy={busy}>
            {busy ? props.busyLabel : props.submit}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {props.text !== undefined && <p className="text-muted text-sm">{props.text}</p>}
        {props.children}
        {error !== '' && <Notice tone="bad">{error}</Notice>}
      </form>
    </Dialog>
  )
}
