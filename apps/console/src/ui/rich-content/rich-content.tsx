import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '../skeleton.tsx'

const Markdown = lazy(async () => ({ default: (await import('../markdown/markdown.tsx')).Markdown }))
const SafeHtml = lazy(async () => ({ default: (await import('./safe-html.tsx')).SafeHtml }))
const EmbeddedPage = lazy(async () => ({ default: (await import('./embedded-page.tsx')).EmbeddedPage }))

/** Renders the operators' text by its kind: an https address in a frame, sanitised HTML, or markdown. */
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

export type ContentKind = 'empty' | 'page' | 'html' | 'markdown'

/** An https address alone is a page; a text that begins with a tag is HTML; everything else is markdown. */
export function contentKind(text: string): ContentKind {
  const trimmed = text.trim()
  if (trimmed === '') return 'empty'
  if (isPageAddress(trimmed)) return 'page'
  return /^<(!doctype|!--|[a-z][a-z\d]*[\s/>])/i.test(trimmed) ? 'html' : 'markdown'
}

function isPageAddress(text: string): boolean {
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text)
}
