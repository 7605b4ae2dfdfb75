import { saveFile } from '~/lib/dom/save-file.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { Notice } from '~/ui/notice.tsx'
import { signInTexts } from '../texts/sign-in-texts.ts'
import { COPIED_MS } from './secret-value.tsx'

/** The recovery codes, shown once, to be copied or saved as a file. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTexts(signInTexts)
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      title={t.recoveryTitle}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t.saved}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted text-sm">{t.recoveryText}</p>
        <ul
          aria-label={t.recoveryTitle}
          className="border-line bg-subtle grid gap-x-4 gap-y-1 rounded-md border p-3 font-mono text-sm select-all sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Notice tone="info">{t.recoveryOnce}</Notice>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} label={t.copyCodes} shownFor={COPIED_MS} wide />
          <Button size="small" onClick={() => saveFile(t.fileName, text, 'text/plain')}>
            {t.downloadCodes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
