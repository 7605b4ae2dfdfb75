import * as v from 'valibot'
import { type Conversation, imagesOf, textOf } from '../message.ts'

export const summary = v.object({
  id: v.string(),
  owner: v.number(),
  /** Given by the user, or the beginning of the first question; '' when that question was only a picture. */
  title: v.string(),
  /** Unix milliseconds. */
  startedAt: v.number(),
  /** Unix milliseconds. */
  changedAt: v.number(),
  pinned: v.boolean(),
  messages: v.number(),
  /** Approximate size of the conversation. */
  bytes: v.number(),
  /** Grows with every write, so that a tab can tell whether another one wrote in between. */
  revision: v.number(),
})
export type Summary = v.InferOutput<typeof summary>

/** In letters. */
export const TITLE_MAX = 80

/** At most `TITLE_MAX` letters, because files can have longer titles. '' without a question, or when it is only a picture. */
export function titleOf({ title, messages }: Conversation): string {
  if (title !== '') return shortened(title)
  const question = messages.find(({ role }) => role === 'user')
  return question === undefined ? '' : shortened(textOf(question.content).replace(/\s+/g, ' ').trim())
}

function shortened(text: string): string {
  // A letter takes up to two code units; text far beyond the cut need not be read.
  const letters = Array.from(text.slice(0, 2 * TITLE_MAX + 2))
  if (letters.length <= TITLE_MAX) return text
  return `${letters
    .slice(0, TITLE_MAX - 1)
    .join('')
    .trimEnd()}…`
}

/** Added to the size of a message's texts. */
const MESSAGE_BYTES = 300

/** Approximate: letters of some scripts take two bytes but count as one. */
export function bytesOf({ messages, title }: Conversation): number {
  return messages.reduce((sum, { content, reasoning_content, arrived = '' }) => {
    const images = imagesOf(content).reduce((all, url) => all + url.length, 0)
    return sum + MESSAGE_BYTES + textOf(content).length + images + (reasoning_content?.length ?? 0) + arrived.length
  }, title.length)
}

/** Pinned conversations first, then the most recently changed. */
export function inOrder(summaries: readonly Summary[]): readonly Summary[] {
  return summaries.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.changedAt - a.changedAt)
}

export const MOST_CONVERSATIONS = 200
/** Maximum size of all conversations together, in bytes. */
export const MOST_BYTES = 64_000_000

/** Ids to delete so that the rest is within the limits: the oldest first, pinned ones last, `spared` never. */
export function beyondLimits(
  summaries: readonly Summary[],
  spared: string,
  limits = { conversations: MOST_CONVERSATIONS, bytes: MOST_BYTES },
): readonly string[] {
  let count = summaries.length
  let bytes = summaries.reduce((sum, one) => sum + one.bytes, 0)
  const gone: string[] = []
  for (const one of inOrder(summaries).toReversed()) {
    if (count <= limits.conversations && bytes <= limits.bytes) break
    if (one.id === spared) continue
    gone.push(one.id)
    count -= 1
    bytes -= one.bytes
  }
  return gone
}
