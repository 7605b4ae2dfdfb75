import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { useIsBelow } from '../lib/dom/use-media.ts'
import { useTexts } from '../lib/i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icon.tsx'
import { uiTexts } from './texts/ui-texts.ts'

interface PanelProps {
  readonly title: string
  readonly subtitle?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly footer?: ReactNode
}

/**
 * A dialog at the right edge that the address opens (`?id=`), so that it can be shared and Back closes it. Next to the list it is
 * not modal, so that rows can be pressed and stepped through; below the desktop width it is a modal sheet. It takes the focus when
 * it opens, and gives it back when it closes.
 */
export function Panel({ title, subtitle, onClose, children, footer }: PanelProps) {
  const t = useTexts(uiTexts)
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const sheet = useIsBelow('desktop')
  useEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    if (sheet) dialog?.showModal()
    else dialog?.show()
    dialog?.querySelector('h2')?.focus()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [sheet])
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    const covered = document.querySelector('dialog:modal, [popover]:popover-open:not([role=region])') !== null
    if (event.key !== 'Escape' || event.defaultPrevented || covered) return
    event.preventDefault()
    onClose()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => closeOnEscape(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // React also passes on the events of a dialog above this one, such as the Escape that closes only that dialog.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      className="bg-raised border-line shadow-float fixed inset-y-0 right-0 left-auto z-10 m-0 h-auto max-h-none lg:top-12 w-[min(34rem,100vw)] max-w-none flex-col border-l p-0 animate-[slide-in_.18s] open:flex backdrop:bg-black/40"
    >
      <div className="border-line flex items-start justify-between gap-4 border-b px-5 py-3">
        <div className="min-w-0">
          <h2 id={titleId} tabIndex={-1} className="text-base leading-7 font-semibold wrap-anywhere outline-none">
            {title}
          </h2>
          {subtitle !== undefined && <div className="text-muted text-xs">{subtitle}</div>}
        </div>
        <IconButton label={t.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain px-5 py-4">{children}</div>
      {footer !== undefined && (
        <div className="border-line bg-subtle flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</div>
      )}
    </dialog>
  )
}
