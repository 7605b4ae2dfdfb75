import { clsx } from 'clsx'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTexts } from '../lib/i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icon.tsx'
import { uiTexts } from './texts/ui-texts.ts'

interface DialogProps {
  readonly title: string
  /** Called on Escape, on the close button, and on a press outside. */
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons below the content, the main one last. */
  readonly footer?: ReactNode
  /** `alertdialog` for questions that need an answer. */
  readonly role?: 'dialog' | 'alertdialog'
  /** `wide` is also centred, for pictures and programs. */
  readonly side?: 'center' | 'left' | 'wide'
}

/** A modal dialog built on the platform's own element, which traps the focus, restores it, and closes on Escape. */
export function Dialog({ title, onClose, children, footer, role = 'dialog', side = 'center' }: DialogProps) {
  const t = useTexts(uiTexts)
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    if (dialog?.open === false) dialog.showModal()
    dialog?.querySelector<HTMLElement>('[data-first-focus]')?.focus()
    return () => {
      dialog?.close()
      // The browser restores the focus only while the dialog is in the document, and the opener may have been removed.
      if (document.activeElement !== document.body) return
      const isThere = opener instanceof HTMLElement && opener.isConnected
      const back = isThere ? opener : document.querySelector<HTMLElement>('dialog[open] h2[tabindex]')
      back?.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // React also passes on the events of a dialog above this one, such as the Escape that closes only that dialog.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose()
      }}
      className={clsx(
        'bg-raised border-line shadow-float overscroll-contain border p-0 backdrop:bg-black/40',
        side === 'left'
          ? 'm-0 h-dvh max-h-none w-[min(18rem,85vw)] rounded-r-xl'
          : 'm-auto max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] rounded-xl animate-[rise_.15s]',
        side === 'center' && 'w-128',
        side === 'wide' && 'w-192',
      )}
    >
      <div className="flex min-h-full flex-col">
        <div className="flex items-start justify-between gap-4 px-5 pt-4">
          <h2 id={titleId} className="text-base leading-7 font-semibold">
            {title}
          </h2>
          <IconButton label={t.close} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        <div className="grow px-5 pt-1 pb-5">{children}</div>
        {footer !== undefined && (
          <div className="border-line bg-subtle flex flex-wrap justify-end gap-2 rounded-b-xl border-t px-5 py-3">
            {footer}
          </div>
        )}
      </div>
    </dialog>
  )
}
