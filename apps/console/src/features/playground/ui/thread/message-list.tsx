import { type ReactElement, useRef } from 'react'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { useDrawnRows } from './use-drawn-rows.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

interface MessageListProps {
  /** Rows with keys, oldest first. */
  readonly children: readonly ReactElement[]
  /** Identity of the last question that was asked: a new one scrolls to the end, wherever the reader was. */
  readonly newest: string
  /** Names the list if there are two next to each other. */
  readonly label?: string
}

/**
 * The messages in a scroller of its own, which stays at the end while a reply grows unless the reader scrolled up. All rows are in
 * the document, for the browser's own search and for screen readers; those out of sight are neither laid out nor painted.
 */
export function MessageList({ children, newest, label }: MessageListProps) {
  const t = useTexts(threadTexts)
  const scroller = useRef<HTMLDivElement>(null)
  const first = useDrawnRows(children.length)
  const { atEnd, toEnd } = useStickToEnd(scroller, newest)
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label={label ?? t.messages}
        tabIndex={0}
        className="min-h-0 grow overflow-y-auto focus-visible:-outline-offset-2"
      >
        <ol className="skips-unseen">
          {children.slice(first).map((row) => (
            <li key={row.key}>{row}</li>
          ))}
        </ol>
      </div>
      {!atEnd && (
        <div className="absolute inset-x-0 bottom-2 flex justify-center">
          <Button size="small" onClick={toEnd}>
            {t.jumpToNewest}
          </Button>
        </div>
      )}
    </div>
  )
}
