import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { uiTexts } from '../texts/ui-texts.ts'

/** Asks before a form with unsaved changes is left. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useTexts(uiTexts)
  return (
    <Dialog
      role="alertdialog"
      title={t.leaveTitle}
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay}>{t.stay}</Button>
          <Button variant="danger" onClick={onLeave}>
            {t.leave}
          </Button>
        </>
      }
    >
      <p className="text-muted">{t.leaveText}</p>
    </Dialog>
  )
}
