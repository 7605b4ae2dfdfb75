import { type FormEvent, useId, useState } from 'react'
import { useTexts } from '../lib/i18n/i18n.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, TextInput } from './field.tsx'
import { uiTexts } from './texts/ui-texts.ts'

interface NameDialogProps {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly save: string
  readonly required: string
  readonly replaces: string
  readonly maxLength: number
  readonly initial?: string
  /** Names in use; saving under one of them replaces the existing item. */
  readonly taken: readonly string[]
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}

export function NameDialog({ initial = '', taken, onSave, onClose, ...texts }: NameDialogProps) {
  const ui = useTexts(uiTexts)
  const formId = useId()
  const [text, setText] = useState(initial)
  const [failed, setFailed] = useState(false)
  const name = text.trim()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // React passes the event on to forms around the dialog in the tree of components.
    event.stopPropagation()
    setFailed(name === '')
    if (name !== '') onSave(name)
  }
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <p className="text-muted text-sm">{texts.text}</p>
        <Field
          label={texts.label}
          error={failed && name === '' ? texts.required : undefined}
          hint={name !== initial && taken.includes(name) ? texts.replaces : undefined}
        >
          {(control) => (
            <TextInput
              {...control}
              data-first-focus
              maxLength={texts.maxLength}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
