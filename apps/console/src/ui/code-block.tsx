import type { ReactNode } from 'react'
import { useTexts } from '../lib/i18n/i18n.ts'
import { CopyButton } from './copy-button.tsx'
import { markdownTexts } from './markdown/texts/markdown-texts.ts'

interface CodeBlockProps {
  readonly text: string
  /** As named by the author; shown, never acted on. */
  readonly language?: string
  /** The text with syntax colours, if it is highlighted. */
  readonly children?: ReactNode
}

/** A program or a command, with a button that copies it. Long lines scroll in it. */
export function CodeBlock({ text, language = '', children }: CodeBlockProps) {
  const t = useTexts(markdownTexts)
  return (
    <div className="border-line bg-subtle overflow-hidden rounded-md border">
      <div className="border-line flex items-center justify-between gap-2 border-b py-0.5 ps-3 pe-1">
        <span className="text-muted truncate font-mono text-xs">{language}</span>
        <CopyButton text={text} label={t.copyCode} shownFor={2_000} />
      </div>
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2">
        <code>{children || text}</code>
      </pre>
    </div>
  )
}
