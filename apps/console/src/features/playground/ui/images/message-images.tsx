import { useState } from 'react'
import { imagesTexts } from '~/features/playground/texts/images/images-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ImageViewer } from './image-viewer.tsx'

/** The pictures of a message as thumbnails; each opens enlarged. Nothing when there are none. */
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
