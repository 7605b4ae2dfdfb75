import { type Conversation, textOf } from '../message.ts'
import type { Summary } from './conversation-summary.ts'

export interface Hit {
  readonly before: string
  readonly match: string
  readonly after: string
}

/** Letters shown before and after a match. */
const BEFORE = 30
const AFTER = 90

/** Caches the texts that it has read, as long as the search exists. */
export function createTextSearch(read: (id: string) => Promise<Conversation | undefined>) {
  const known = new Map<string, { readonly revision: number; readonly text: string }>()

  async function textOfEntry({ id, revision }: Summary): Promise<string> {
    const found = known.get(id)
    if (found?.revision === revision) return found.text
    const text = wholeText(await read(id))
    known.set(id, { revision, text })
    return text
  }

  /** Hits by id. Returns early, with what it has, when the signal aborts. */
  return async (
    entries: readonly Summary[],
    wanted: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Hit>> => {
    const hits = new Map<string, Hit>()
    for (const entry of entries) {
      const text = await textOfEntry(entry)
      if (signal.aborted) break
      const hit = hitIn(text, wanted)
      if (hit !== undefined) hits.set(entry.id, hit)
    }
    return hits
  }
}

function wholeText(conversation: Conversation | undefined): string {
  const texts = conversation?.messages.map(({ content }) => textOf(content)) ?? []
  return texts.join(' ').replace(/\s+/g, ' ')
}

/** Ignores case; undefined when the text does not occur. */
export function hitIn(text: string, wanted: string): Hit | undefined {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0 || wanted === '') return undefined
  const end = at + wanted.length
  const from = Math.max(0, at - BEFORE)
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    match: text.slice(at, end),
    after: text.slice(end, end + AFTER),
  }
}
