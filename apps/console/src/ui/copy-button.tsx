import { useEffect, useState } from 'react'
import { copyText } from '../lib/dom/save-file.ts'
import { useTexts } from '../lib/i18n/i18n.ts'
import { Button, IconButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CheckIcon, CopyIcon } from './icon.tsx'
import { uiTexts } from './texts/ui-texts.ts'

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** How long the confirmation is shown, in milliseconds. */
  readonly shownFor?: number
  readonly wide?: boolean
}

/** If the clipboard is not available, a dialog shows the text for copying by hand. */
export function CopyButton({ text, label, shownFor, wide = false }: CopyButtonProps) {
  const t = useTexts(uiTexts)
  const { copied, copy, aftermath } = useCopy(text, shownFor)
  const icon = copied ? <CheckIcon /> : <CopyIcon />
  return (
    <>
      {wide ? (
        <Button size="small" onClick={copy}>
          {icon}
          {copied ? t.copied : label}
        </Button>
      ) : (
        <IconButton label={copied ? t.copied : label} onClick={copy}>
          {icon}
        </IconButton>
      )}
      {aftermath}
    </>
  )
}

export function CopyText({ text, label, shownFor }: Omit<CopyButtonProps, 'wide'>) {
  const t = useTexts(uiTexts)
  const { copied, copy, aftermath } = useCopy(text, shownFor)
  return (
    <span className="relative inline-flex max-w-full items-start gap-1.5">
      <button
        type="button"
        aria-label={`${label} ${text}`}
        data-tip={label}
        onClick={copy}
        className="hover:bg-hover -mx-1 min-h-6 min-w-0 rounded px-1 text-left font-mono text-xs wrap-anywhere"
      >
        {text}
      </button>
      <span className="text-good flex min-h-6 items-center gap-1 text-xs whitespace-nowrap">
        {copied && (
          <>
            <CheckIcon />
            <span aria-hidden="true">{t.copied}</span>
          </>
        )}
      </span>
      {aftermath}
    </span>
  )
}

const SHOWN_MS = 3_000

function useCopy(text: string, shownFor = SHOWN_MS) {
  const t = useTexts(uiTexts)
  const [state, setState] = useState<'idle' | 'copied' | 'manual'>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), shownFor)
    return () => clearTimeout(timer)
  }, [state, shownFor])
  const copy = async () => setState((await copyText(text)) ? 'copied' : 'manual')
  const aftermath = (
    <>
      <span role="status" className="sr-only">
        {state === 'copied' ? t.copied : ''}
      </span>
      {state === 'manual' && <ManualCopyDialog text={text} onClose={() => setState('idle')} />}
    </>
  )
  return { copied: state === 'copied', copy: () => void copy(), aftermath }
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

export function CopyValue({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div>
      <p className="mb-1 text-sm font-medium">{label}</p>
      <div className="border-line bg-subtle flex items-center gap-2 rounded-md border py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-sm break-all">{text}</code>
        <CopyButton text={text} label={copyLabel} />
      </div>
    </div>
  )
}
