import { type ReactNode, useId } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Notice } from '../notice.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import type { FormState } from './use-schema-form.ts'

interface FormDialogProps {
  readonly title: string
  readonly text?: string | undefined
  /** The result of `useSchemaForm`, whose `onSave` closes the dialog when it is done. */
  readonly form: FormState
  readonly submit: string
  readonly busyLabel: string
  readonly danger?: boolean | undefined
  /** Shown opposite the buttons: another way to achieve the same. */
  readonly aside?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Stays open, busy, until its action is done; errors are shown above its buttons. */
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
