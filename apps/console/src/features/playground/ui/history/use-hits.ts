import { useEffect, useState } from 'react'
import type { Summary } from '~/features/playground/model/history/conversation-summary.ts'
import { createTextSearch, type Hit } from '~/features/playground/model/history/text-search.ts'
import { useConversations } from './use-conversations.ts'

const NONE: ReadonlyMap<string, Hit> = new Map()

/** Conversations in which a text occurs, by id; until these are known, those found for the previous text. */
export function useHits(entries: readonly Summary[], text: string): ReadonlyMap<string, Hit> {
  const { history } = useConversations()
  const [search] = useState(() => createTextSearch(history.read))
  const [hits, setHits] = useState(NONE)
  useEffect(() => {
    if (text === '') return
    const ending = new AbortController()
    const run = async () => {
      const found = await search(entries, text, ending.signal)
      if (!ending.signal.aborted) setHits(found)
    }
    void run()
    return () => ending.abort()
  }, [search, entries, text])
  return text === '' ? NONE : hits
}
