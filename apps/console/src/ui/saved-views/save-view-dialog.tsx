import { type FormEvent, useId, useState } from 'react'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { VIEW_NAME_MAX } from '../../lib/list/saved-views.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, TextInput } from '../field.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { viewsTexts } from './texts/views-texts.ts'

interface SaveViewDialogProps {
  /** Names in use; saving under one of them replaces it. */
  readonly taken: readonly string[]
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}

export function SaveViewDialog({ taken, onSave, onClose }: SaveViewDialogProps) {
  const t = useTexts(viewsTexts)
  const ui = useTexts(uiTexts)
  const formId = useId()
  const [text, setText] = useState('')
  const [failed, setFailed] = useState(false)
  const name = text.trim()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setFailed(name === '')
    if (name !== '') onSave(name)
  }
  return (
    <Dialog
      title={t.saveTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {t.saveButton}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <p className="text-muted text-sm">{t.saveText}</p>
        <Field
          label={t.name}
          error={failed && name === '' ? t.nameRequired : undefined}
          hint={taken.includes(name) ? t.replaces : undefined}
        >
          {(control) => (
            <TextInput
              {...control}
              data-first-focus
              maxLength={VIEW_NAME_MAX}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
