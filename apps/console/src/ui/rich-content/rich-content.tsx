import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '../skeleton.tsx'
import { contentKind } from './content-kind.ts'

const Markdown = lazy(async () => ({ default: (await import('../markdown/markdown.tsx')).Markdown }))
const SafeHtml = lazy(async () => ({ default: (await import('./safe-html.tsx')).SafeHtml }))
const EmbeddedPage = lazy(async () => ({ default: (await import('./embedded-page.tsx')).EmbeddedPage }))

/** A text of the operators, rendered by its kind: an https address in a frame, sanitised HTML, or markdown. */
export function RichContent({ text }: { text: string }) {
  return <Suspense fallback={<Skeleton className="h-24 w-full" />}>{drawn(text)}</Suspense>
}

function drawn(text: string): ReactNode {
  switch (contentKind(text)) {
    case 'empty':
      return null
    case 'page':
      return <EmbeddedPage address={text.trim()} />
    case 'html':
      return htmlBlock(text)
    case 'markdown':
      return <Markdown text={text} pictures html={htmlBlock} />
  }
}

function htmlBlock(html: string): ReactNode {
  return <SafeHtml html={html} />
}
