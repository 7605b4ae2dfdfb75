import { useEffect, useState } from 'react'
import { copyText } from '../lib/clipboard/copy-text.ts'
import { useTexts } from '../lib/i18n/i18n.ts'
import { Button, IconButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CheckIcon, CopyIcon } from './sign-icons.tsx'
import { uiTexts } from './texts/ui-texts.ts'

interface CopyButtonProps {
  readonly text: string
  /** Names what is copied: "Copy key". */
  readonly label: string
  /** How long the success shows, in milliseconds. */
  readonly shownFor?: number
  /** Draws a button with the label instead of a bare picture. */
  readonly wide?: boolean
}

/** Copies a text; where the clipboard is not available a dialog shows it for copying by hand. */
export function CopyButton({ text, label, shownFor = 3_000, wide = false }: CopyButtonProps) {
  const t = useTexts(uiTexts)
  const [state, setState] = useState<'idle' | 'copied' | 'manual'>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), shownFor)
    return () => clearTimeout(timer)
  }, [state, shownFor])
  const copy = async () => setState((await copyText(text)) ? 'copied' : 'manual')
  const icon = state === 'copied' ? <CheckIcon /> : <CopyIcon />
  return (
    <>
      {wide ? (
        <Button size="small" onClick={() => void copy()}>
          {icon}
          {state === 'copied' ? t.copied : label}
        </Button>
      ) : (
        <IconButton label={state === 'copied' ? t.copied : label} onClick={() => void copy()}>
          {icon}
        </IconButton>
      )}
      <span role="status" className="sr-only">
        {state === 'copied' ? t.copied : ''}
      </span>
      {state === 'manual' && <ManualCopyDialog text={text} onClose={() => setState('idle')} />}
    </>
  )
}

function ManualCopyDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const t = useTexts(uiTexts)
  return (
    <Dialog title={t.manualCopyTitle} onClose={onClose} footer={<Button onClick={onClose}>{t.close}</Button>}>
      <p className="text-muted mb-3">{t.manualCopyText}</p>
      <textarea
        readOnly
        aria-label={t.manualCopyTitle}
        rows={Math.min(8, text.split('\n').length + 1)}
        value={text}
        onFocus={(event) => event.target.select()}
        className="border-control bg-subtle w-full resize-none rounded-md border px-3 py-2 font-mono text-sm break-all"
      />
    </Dialog>
  )
}
