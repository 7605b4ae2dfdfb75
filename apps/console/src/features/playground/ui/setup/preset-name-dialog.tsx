import { type FormEvent, useId, useState } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../../ui/field.tsx'
import { uiTexts } from '../../../../ui/texts/ui-texts.ts'
import { PRESET_NAME_MAX } from '../../model/presets.ts'
import { setupTexts } from '../../texts/setup/setup-texts.ts'

interface PresetNameDialogProps {
  readonly title: string
  readonly initial: string
  /** Names in use; another preset of this name is replaced. */
  readonly taken: readonly string[]
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}

export function PresetNameDialog({ title, initial, taken, onSave, onClose }: PresetNameDialogProps) {
  const t = useTexts(setupTexts)
  const ui = useTexts(uiTexts)
  const formId = useId()
  const [text, setText] = useState(initial)
  const [failed, setFailed] = useState(false)
  const name = text.trim()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // React hands the event on to forms around the dialog's place in the tree.
    event.stopPropagation()
    setFailed(name === '')
    if (name !== '') onSave(name)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {t.save}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <p className="text-muted text-sm">{t.presetText}</p>
        <Field
          label={t.presetName}
          error={failed && name === '' ? t.presetNameRequired : undefined}
          hint={name !== initial && taken.includes(name) ? t.presetReplaces : undefined}
        >
          {(control) => (
            <TextInput
              {...control}
              data-first-focus
              maxLength={PRESET_NAME_MAX}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
