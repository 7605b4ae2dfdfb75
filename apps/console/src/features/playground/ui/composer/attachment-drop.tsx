import { type ClipboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { imagesTexts } from '~/features/playground/texts/images-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { AttachmentState } from './use-attachments.ts'

/** Files of a paste. If they come with text (spreadsheet cells are pasted both as text and as a picture), the text is meant. */
export function pastedFiles(event: ClipboardEvent): readonly File[] {
  const { clipboardData } = event
  return clipboardData.getData('text/plain') === '' ? [...clipboardData.files] : []
}

/**
 * Attaches what is dropped anywhere in the window, or in the dialog that contains it. A file that nothing accepts would replace the
 * page, so this catches every file.
 */
export function AttachmentDrop({ attachments }: { attachments: AttachmentState }) {
  const t = useTexts(imagesTexts)
  const place = useRef<HTMLSpanElement>(null)
  const [over, setOver] = useState(false)
  /** Whether a drop is meant for this one: the topmost dialog takes it. */
  const isMeant = () => {
    const topmost = [...document.querySelectorAll('dialog:modal')].at(-1) ?? null
    return place.current?.closest('dialog') === topmost
  }
  const drop = useEffectEvent((files: readonly File[]) => {
    if (isMeant()) attachments.add(files)
  })
  const enter = useEffectEvent(() => setOver(isMeant()))
  useEffect(() => {
    const listening = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(type, listener, { signal: listening.signal })
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    on('dragover', (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      enter()
    })
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false)
    })
    on('drop', (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      drop([...(event.dataTransfer?.files ?? [])])
    })
    return () => listening.abort()
  }, [])
  return (
    <span ref={place}>
      {over && (
        <span className="bg-canvas/80 text-accent pointer-events-none fixed inset-2 z-30 flex items-center justify-center rounded-xl border-2 border-dashed">
          <span className="bg-raised shadow-float rounded-xl px-4 py-3 font-medium">{t.dropHere}</span>
        </span>
      )}
    </span>
  )
}
