import { useState } from 'react'
import { useTexts } from '../lib/i18n/i18n.ts'
import { Button } from './button.tsx'
import type { Question } from './confirm.tsx'
import { Dialog } from './dialog.tsx'
import { uiTexts } from './texts/ui-texts.ts'

export function ConfirmDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  const t = useTexts(uiTexts)
  const [busy, setBusy] = useState(false)
  const close = () => {
    if (!busy) onClose()
  }
  const confirm = async () => {
    setBusy(true)
    await question.run()
    onClose()
  }
  return (
    <Dialog
      role="alertdialog"
      title={question.title}
      onClose={close}
      footer={
        <>
          <Button data-first-focus onClick={close} disabled={busy}>
            {t.cancel}
          </Button>
          <Button variant={question.danger === true ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
            {busy ? (question.busy ?? question.confirm) : question.confirm}
          </Button>
        </>
      }
    >
      <p className="text-muted wrap-anywhere">{question.text}</p>
    </Dialog>
  )
}
