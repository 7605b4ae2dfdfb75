import type { ChatMessage, MessageContent } from '../message.ts'

/** The example question for an empty conversation. */
const HELLO = 'Say hello.'

/** The messages that would be sent now: with the question being written, or else the last one asked, or else an example. */
export function messagesToSend(path: readonly ChatMessage[], draft: MessageContent): readonly ChatMessage[] {
  if (draft !== '') return [...path, question(draft)]
  const sent = path.slice(0, path.findLastIndex(({ role }) => role === 'user') + 1)
  return sent.length === 0 ? [question(HELLO)] : sent
}

function question(content: MessageContent): ChatMessage {
  return { id: '', parent: null, role: 'user', content, reasoning_content: null, timestamp: 0 }
}

/** Longest text of a picture's address that is shown. */
const SHOWN_ADDRESS = 40

/** A value with the addresses of its pictures shortened, for reading. */
export function withShortImages(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith('data:image/') && value.length > SHOWN_ADDRESS ? `${value.slice(0, SHOWN_ADDRESS)}…` : value
  }
  if (Array.isArray(value)) return value.map(withShortImages)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withShortImages(each)]))
}
