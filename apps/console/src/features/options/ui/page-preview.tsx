import { lazy, Suspense, useDeferredValue } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { optionTexts } from '../texts/option-texts.ts'

const RichContent = lazy(async () => ({
  default: (await import('~/ui/rich-content/rich-content.tsx')).RichContent,
}))
const SafeHtml = lazy(async () => ({ default: (await import('~/ui/rich-content/safe-html.tsx')).SafeHtml }))

interface PagePreviewProps {
  readonly name: string
  readonly text: string
  /** The text is treated as HTML whatever it looks like, as in the footer. */
  readonly isHtml: boolean
}

/** A text of the operators as visitors will see it, sanitised in the same way. */
export function PagePreview({ name, text, isHtml }: PagePreviewProps) {
  const t = useTexts(optionTexts)
  // Typing does not wait for the preview.
  const drawn = useDeferredValue(text)
  return (
    <section
      aria-label={t.previewOf(name)}
      className="border-line max-h-96 overflow-y-auto rounded-md border border-dashed px-4 py-3"
    >
      {drawn.trim() === '' ? (
        <p className="text-muted text-sm">{t.previewEmpty}</p>
      ) : (
        <Suspense fallback={<Skeleton className="h-16 w-full" />}>
          {isHtml ? <SafeHtml html={drawn} /> : <RichContent text={drawn} />}
        </Suspense>
      )}
    </section>
  )
}
