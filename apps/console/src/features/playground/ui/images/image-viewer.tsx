import { type KeyboardEvent, useState } from 'react'
import { imagesTexts } from '~/features/playground/texts/images/images-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'

interface ImageViewerProps {
  /** Addresses of pictures that belong together. */
  readonly images: readonly string[]
  /** Index of the one that shows first. */
  readonly first: number
  readonly onClose: () => void
}

/** Enlarged pictures, one at a time; the arrow keys step through them. */
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
