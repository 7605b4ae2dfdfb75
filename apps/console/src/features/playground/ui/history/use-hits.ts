import { useEffect, useState } from 'react'
import type { Summary } from '../../model/history/summary.ts'
import { createTextSearch, type Hit } from '../../model/history/text-search.ts'
import { useConversations } from './use-conversations.ts'

const NONE: ReadonlyMap<string, Hit> = new Map()

/** Conversations in which a text was said, by id; those that were found for the text before until these are known. */
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
