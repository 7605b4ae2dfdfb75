import { useEffect, useState } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import type { Column } from '../../engine/playground.ts'
import { endOfSentences, spoken } from '../../model/spoken.ts'
import { threadTexts } from '../../texts/thread/thread-texts.ts'
import type { LiveStore } from './use-live.ts'

/** Shortest time between two announcements, in milliseconds: one that follows at once would replace the one before. */
const PACE_MS = 1_500

/** Reads a reply to screen readers sentence by sentence while it arrives; of two that are compared only that they are there. */
export function ReplyAnnouncer({ columns }: { columns: readonly Column[] }) {
  const compares = columns.length > 1
  return columns.map(({ live }, column) => (
    // oxlint-disable-next-line react/no-array-index-key -- a column is its place
    <Announcer key={column} live={live} brief={compares} />
  ))
}

function Announcer({ live, brief }: { live: LiveStore | undefined; brief: boolean }) {
  const t = useTexts(threadTexts)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (live === undefined) return
    const follower = follow(live, brief ? () => undefined : setSaid)
    return () => {
      const rest = follower.stop()
      const complete = t.replyComplete(live.get().model)
      setSaid(brief ? complete : `${rest} ${complete}`)
    }
  }, [live, brief, t])
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}

/** Hands on the complete sentences of a growing reply; stopping answers what was not handed on. */
function follow(live: LiveStore, say: (sentences: string) => void): { stop(): string } {
  let told = 0
  const timer = setInterval(() => {
    const { text } = live.get()
    const end = endOfSentences(text, told)
    if (end > told) say(spoken(text.slice(told, end)))
    told = end
  }, PACE_MS)
  return {
    stop() {
      clearInterval(timer)
      return spoken(live.get().text.slice(told))
    },
  }
}
