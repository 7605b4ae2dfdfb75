import type { ChatMessage, MessageContent } from '../message.ts'

/** What says hello where nothing was asked yet. */
const HELLO = 'Say hello.'

/**
 * The messages of the request that would be sent now: with the question that is being written, else the one that was asked last,
 * else an example.
 */
export function askedNow(path: readonly ChatMessage[], draft: MessageContent): readonly ChatMessage[] {
  if (draft !== '') return [...path, question(draft)]
  const asked = path.slice(0, path.findLastIndex(({ role }) => role === 'user') + 1)
  return asked.length === 0 ? [question(HELLO)] : asked
}

function question(content: MessageContent): ChatMessage {
  return { id: '', parent: null, role: 'user', content, reasoning_content: null, timestamp: 0 }
}

/** Longest text of a picture's address that is shown. */
const SHOWN_ADDRESS = 40

/** A value with the addresses of its pictures cut short, for reading. */
export function withShortImages(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith('data:image/') && value.length > SHOWN_ADDRESS ? `${value.slice(0, SHOWN_ADDRESS)}…` : value
  }
  if (Array.isArray(value)) return value.map(withShortImages)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withShortImages(each)]))
}
