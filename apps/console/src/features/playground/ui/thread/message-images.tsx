import { type KeyboardEvent, useState } from 'react'
import { imagesTexts } from '~/features/playground/texts/images-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'

interface ImageViewerProps {
  readonly images: readonly string[]
  /** Index of the picture that is shown first. */
  readonly first: number
  readonly onClose: () => void
}

export function ImageViewer({ images, first, onClose }: ImageViewerProps) {
  const t = useTexts(imagesTexts)
  const [at, setAt] = useState(first)
  const go = (step: number) => setAt((at + step + images.length) % images.length)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') go(-1)
    if (event.key === 'ArrowRight') go(1)
  }
  const title = t.position(at + 1, images.length)
  return (
    <Dialog title={title} side="wide" onClose={onClose}>
      <div
        role="group"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="flex flex-col items-center gap-2"
      >
        <img src={images[at]} alt={t.image(at + 1)} className="max-h-[70dvh] rounded-md object-contain" />
        {images.length > 1 && (
          <div className="flex gap-2">
            <IconButton tone="bordered" label={t.previous} onClick={() => go(-1)}>
              <ChevronLeftIcon />
            </IconButton>
            <IconButton tone="bordered" label={t.next} onClick={() => go(1)} data-first-focus>
              <ChevronRightIcon />
            </IconButton>
          </div>
        )}
      </div>
    </Dialog>
  )
}

export function MessageImages({ images }: { images: readonly string[] }) {
  const t = useTexts(imagesTexts)
  const [shown, setShown] = useState<number>()
  if (images.length === 0) return null
  return (
    <>
      <ul aria-label={t.attached} className="flex flex-wrap gap-2">
        {images.map((image, index) => (
          // The pictures of a message never change order.
          <li key={index}>
            <button
              type="button"
              aria-label={t.open(t.image(index + 1))}
              onClick={() => setShown(index)}
              className="border-line bg-subtle block size-28 overflow-hidden rounded-md border"
            >
              <img src={image} alt="" decoding="async" className="size-full object-cover" />
            </button>
          </li>
        ))}
      </ul>
      {shown !== undefined && <ImageViewer images={images} first={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
