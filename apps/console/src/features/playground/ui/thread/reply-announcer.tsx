import { useEffect, useState } from 'react'
import type { Column } from '~/features/playground/engine/playground.ts'
import { textOf } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { usePlayground, type LiveStore } from '../use-playground.ts'

/** Shortest time between two announcements, in milliseconds; an immediate one would replace the one before. */
const PACE_MS = 1_500

/** Reads an arriving reply to screen readers sentence by sentence; for two compared replies, only says that they have arrived. */
export function ReplyAnnouncer({ columns }: { columns: readonly Column[] }) {
  const compares = columns.length > 1
  return columns.map(({ live }, column) => (
    // oxlint-disable-next-line react/no-array-index-key -- a column is its place
    <Announcer key={column} column={column} live={live} brief={compares} />
  ))
}

interface AnnouncerProps {
  readonly column: number
  readonly live: LiveStore | undefined
  readonly brief: boolean
}

function Announcer({ column, live, brief }: AnnouncerProps) {
  const t = useTexts(threadTexts)
  const playground = usePlayground()
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (live === undefined) return
    const follower = follow(live, brief ? () => undefined : setSaid)
    return () => {
      // The last piece may never have been drawn, but the finished reply contains it.
      const { messages, leaves } = playground.get().conversation
      const reply = messages.findLast(({ id }) => id === leaves[column])
      const rest = follower.restOf(reply?.role === 'assistant' ? textOf(reply.content) : live.get().text)
      const end = reply?.role === 'assistant' ? t.replyComplete(reply.model ?? '') : ''
      setSaid(brief ? end : `${rest} ${end}`)
    }
  }, [column, live, brief, t, playground])
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}

/** Passes on complete sentences of a growing reply; `restOf` returns the rest of the text at the end. */
function follow(live: LiveStore, say: (sentences: string) => void): { restOf(whole: string): string } {
  let shown = 0
  const timer = setInterval(() => {
    const { text } = live.get()
    const end = endOfSentences(text, shown)
    if (end > shown) say(spoken(text.slice(shown, end)))
    shown = end
  }, PACE_MS)
  return {
    restOf(whole) {
      clearInterval(timer)
      return spoken(whole.slice(shown))
    },
  }
}

/** The end of a sentence or a line, with closing punctuation. */
const END = /[.!?…][)\]"'”’»]*\s|[。！？]|\n/g

/** Position after the last complete sentence in `text`; `from` when no sentence has been completed since. */
export function endOfSentences(text: string, from: number): number {
  let end = from
  for (const match of text.slice(from).matchAll(END)) end = from + match.index + match[0].length
  return end
}

/** Markdown as it should be read aloud: without markup, and links by their names. */
export function spoken(markdown: string): string {
  return (
    markdown
      // Each mark ends the search for the one before it, because a text can be full of openings that are never closed.
      .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)?\)/g, '$1')
      .replaceAll(/^[ \t]*(?:[#>]+|[-*+]|(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*)[ \t]*/gm, '')
      .replaceAll(/[*_`|]+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}
