import { useEffect, useEffectEvent, useState } from 'react'

/** Shortest text that is searched. */
const SUGGEST_FROM = 2
/** Pause in typing before a search starts, in milliseconds. */
const DEBOUNCE_MS = 300

export interface Suggestion {
  readonly id: string
  readonly label: string
  /** What distinguishes the suggestion from others with the same name. */
  readonly hint?: string
}

export type SuggestionState<S extends Suggestion = Suggestion> =
  | { readonly state: 'short' | 'loading' | 'failed' }
  | { readonly state: 'ready'; readonly items: readonly S[] }

/**
 * None below two characters, then one request each time typing pauses; a newer request aborts the older one. `load` returns
 * `undefined` when it failed, and can be a different function at each render. `subject` names what is searched, if that can change
 * while the text stays the same.
 */
export function useSuggestions<S extends Suggestion>(
  text: string,
  load: (text: string, signal: AbortSignal) => Promise<readonly S[] | undefined>,
  subject = '',
): SuggestionState<S> {
  const query = text.trim()
  const [answer, setAnswer] = useState<{ subject: string; query: string; items: readonly S[] | undefined }>()
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    const items = await load(query, signal)
    if (!signal.aborted) setAnswer({ subject, query, items })
  })
  useEffect(() => {
    if (query.length < SUGGEST_FROM) return
    const abort = new AbortController()
    const timer = setTimeout(() => void ask(abort.signal), DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query, subject])
  if (query.length < SUGGEST_FROM) return { state: 'short' }
  if (answer?.query !== query || answer.subject !== subject) return { state: 'loading' }
  return answer.items === undefined ? { state: 'failed' } : { state: 'ready', items: answer.items }
}
