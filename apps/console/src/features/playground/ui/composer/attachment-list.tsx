import { useRef, useState, type ClipboardEvent, useEffect, useEffectEvent } from 'react'
import { type AttachedImage, IMAGE_TYPES } from '~/features/playground/model/images/attachments.ts'
import { imagesTexts } from '~/features/playground/texts/images-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton, Spinner } from '~/ui/button.tsx'
import { icon, CloseIcon } from '~/ui/icon.tsx'
import { Notice } from '~/ui/notice.tsx'
import { ImageViewer } from '../thread/message-images.tsx'
import type { AttachmentState } from './use-attachments.ts'

const ImageIcon = icon('M2.5 3h11v10h-11zM2.5 11l3.2-3.2 2.6 2.6 1.9-1.9 3.3 3.3M10.4 6.2h.01')

interface AttachmentProps {
  readonly attachments: AttachmentState
}

/** When the model does not read pictures, the button stays visible and says why it does nothing. */
export function AttachButton({ attachments, disabled = false }: AttachmentProps & { disabled?: boolean }) {
  const t = useTexts(imagesTexts)
  const input = useRef<HTMLInputElement>(null)
  const { blind, add } = attachments
  return (
    <>
      <IconButton
        label={t.attach}
        barred={blind === '' ? undefined : t.noVision(blind)}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <ImageIcon />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES}
        aria-label={t.attach}
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          // Otherwise the same file could not be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

export function AttachmentStrip({ attachments }: AttachmentProps) {
  const t = useTexts(imagesTexts)
  const [shown, setShown] = useState<number>()
  const { items, blind, remove } = attachments
  return (
    <>
      <p role="status" className="sr-only">
        {t.attachedCount(items.length)}
      </p>
      {items.length > 0 && (
        <ul aria-label={t.attached} className="flex flex-wrap gap-3 p-3 pb-0">
          {items.map((item, index) => (
            <li key={item.id} className="relative">
              <Tile item={item} name={nameOf(item, t.image(index + 1))} onOpen={() => setShown(index)} />
              <button
                type="button"
                aria-label={t.remove(nameOf(item, t.image(index + 1)))}
                onClick={({ currentTarget }) => {
                  neighbourOf(currentTarget)?.focus()
                  remove(item.id)
                }}
                className="bg-raised border-line text-muted hover:text-ink absolute -end-2 -top-2 flex size-6 items-center justify-center rounded-full border pointer-coarse:size-9"
              >
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 && blind !== '' && <Notice tone="info">{t.noVisionAttached(blind)}</Notice>}
      {shown !== undefined && items[shown] !== undefined && (
        <ImageViewer images={items.map(({ preview }) => preview)} first={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  )
}

/** Takes the focus when a picture is removed: the button of the next picture, otherwise the text. */
function neighbourOf(button: HTMLElement): HTMLElement | null | undefined {
  const place = button.closest('li')
  const other = place?.nextElementSibling ?? place?.previousElementSibling
  return other?.querySelector<HTMLElement>('button:last-of-type') ?? textBeside(button)
}

const textBeside = (button: HTMLElement) => button.closest('form, dialog')?.querySelector('textarea')

function nameOf({ file }: AttachedImage, otherwise: string): string {
  return file?.name ?? otherwise
}

function Tile({ item, name, onOpen }: { item: AttachedImage; name: string; onOpen: () => void }) {
  const t = useTexts(imagesTexts)
  const busy = item.base64 === ''
  return (
    <button
      type="button"
      aria-label={busy ? t.processing(name) : t.open(name)}
      aria-busy={busy}
      data-tip={name}
      onClick={onOpen}
      className="border-line bg-subtle relative block size-20 overflow-hidden rounded-md border"
    >
      <img src={item.thumbnail === '' ? item.preview : item.thumbnail} alt="" className="size-full object-cover" />
      {busy && (
        <span className="bg-surface/70 absolute inset-0 flex items-center justify-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}

/** No files if text was pasted with them: spreadsheet cells are pasted both as text and as a picture, and the text is meant. */
export function pastedFiles(event: ClipboardEvent): readonly File[] {
  const { clipboardData } = event
  return clipboardData.getData('text/plain') === '' ? [...clipboardData.files] : []
}

/**
 * Accepts drops anywhere in the window, or in the surrounding dialog. Catches every file, because a file that nothing accepts would
 * replace the page.
 */
export function AttachmentDrop({ attachments }: { attachments: AttachmentState }) {
  const t = useTexts(imagesTexts)
  const place = useRef<HTMLSpanElement>(null)
  const [over, setOver] = useState(false)
  /** Whether the drop is meant for this component: the topmost dialog takes it. */
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
