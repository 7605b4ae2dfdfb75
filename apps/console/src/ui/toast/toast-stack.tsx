import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { copyText } from '~/lib/dom/save-file.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { IconButton } from '../button.tsx'
import { CheckIcon, CloseIcon, CopyIcon, InfoIcon, WarningIcon } from '../icon.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { type Toast, type Toasts, useToasts } from './toasts.ts'

/** At the top, away from the buttons of forms and lists; in the top layer, so that no dialog covers toasts. Announced politely. */
export function ToastStack() {
  const t = useTexts(uiTexts)
  const toasts = useToasts()
  const shown = useStore(toasts)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Showing the popover again lifts it above a dialog that opened in the meantime.
    ref.current?.hidePopover()
    if (shown.length > 0) ref.current?.showPopover()
  }, [shown])
  return (
    <div
      ref={ref}
      popover="manual"
      role="region"
      aria-label={t.notifications}
      aria-live="polite"
      className="fixed inset-x-0 top-2 bottom-auto m-0 mx-auto w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 overflow-visible bg-transparent p-0 open:flex"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} toasts={toasts} />
      ))}
    </div>
  )
}

function ToastCard({ toast, toasts }: { toast: Toast; toasts: Toasts }) {
  const t = useTexts(uiTexts)
  const [held, setHeld] = useState(false)
  const [copied, setCopied] = useState(false)
  const { id, duration } = toast
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => toasts.dismiss(id), duration)
    return () => clearTimeout(timer)
  }, [held, toasts, id, duration])
  const copy = async () => setCopied(await copyText([toast.title, toast.text].filter(Boolean).join('\n')))
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="bg-raised border-line shadow-float flex items-start gap-2.5 rounded-lg border py-2 pr-1.5 pl-3 text-sm animate-[rise_.15s]"
    >
      <span className={clsx('mt-1.5', { good: 'text-good', bad: 'text-bad', info: 'text-accent' }[toast.tone])}>
        {toast.tone === 'good' ? <CheckIcon /> : toast.tone === 'bad' ? <WarningIcon /> : <InfoIcon />}
      </span>
      <div className="min-w-0 grow py-1 select-text">
        <p className="font-medium wrap-anywhere">{toast.title}</p>
        {toast.text !== undefined && <p className="text-muted wrap-anywhere">{toast.text}</p>}
        {toast.action !== undefined && (
          <button
            type="button"
            className="text-accent mt-0.5 font-medium hover:underline"
            onClick={() => {
              toasts.dismiss(id)
              toast.action?.run()
            }}
          >
            {toast.action.label}
          </button>
        )}
      </div>
      <IconButton label={copied ? t.copied : t.copyText} onClick={() => void copy()}>
        {copied ? <CheckIcon /> : <CopyIcon />}
      </IconButton>
      <IconButton label={t.close} onClick={() => toasts.dismiss(id)}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
