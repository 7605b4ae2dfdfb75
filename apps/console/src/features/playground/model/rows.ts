import { pathTo, withoutMessage } from './branches.ts'
import type { ChatMessage, Conversation } from './message.ts'

export interface Row {
  /**
   * The message that this one follows, so that another branch in the same position, or a completed reply, is the same row with
   * other content.
   */
  readonly key: string
  readonly message: ChatMessage
  /** Position among the siblings, from 1 on; siblings shown in another column do not count. */
  readonly place: number
  readonly places: number
  /** The neighbouring siblings; undefined at the ends. */
  readonly previous: string | undefined
  readonly next: string | undefined
  /** Whether a question precedes the message, so that it can be answered again. */
  readonly answers: boolean
}

const keyAfter = (parent: string | null) => parent ?? 'start'

/** Oldest first. */
export function rowsOf({ messages, leaves }: Conversation, column: number): readonly Row[] {
  const path = pathTo(messages, leaves[column] ?? null)
  const shown = new Set(path)
  const elsewhere = new Set(leaves.flatMap((leaf) => pathTo(messages, leaf)).filter((message) => !shown.has(message)))
  const inPlace = Map.groupBy(messages, ({ parent }) => parent)
  let hasQuestion = false
  return path.map((message) => {
    const siblings = inPlace.get(message.parent)?.filter((sibling) => !elsewhere.has(sibling)) ?? [message]
    const at = siblings.indexOf(message)
    const row = {
      key: keyAfter(message.parent),
      message,
      place: at + 1,
      places: siblings.length,
      previous: siblings[at - 1]?.id,
      next: siblings[at + 1]?.id,
      answers: hasQuestion,
    }
    hasQuestion ||= message.role === 'user'
    return row
  })
}

export function liveKey({ leaves }: Conversation, column: number): string {
  return keyAfter(leaves[column] ?? null)
}

/** The last reply of the column, or the error in its place. */
export function lastReply(rows: readonly Row[]): Row | undefined {
  return rows.findLast(({ message: { role } }) => role === 'assistant' || role === 'error')
}

/** Restores a message from `before` in its old position. What was added since stays. */
export function withMessageBack(now: Conversation, before: Conversation, id: string): Conversation {
  const at = before.messages.findIndex((message) => message.id === id)
  const message = before.messages[at]
  if (message === undefined || now.messages.some((other) => other.id === id)) return now
  const followed = new Set(before.messages.filter(({ parent }) => parent === id).map((child) => child.id))
  const messages = now.messages.map((other) => (followed.has(other.id) ? { ...other, parent: id } : other))
  const older = new Set(before.messages.slice(0, at).map((other) => other.id))
  const without = withoutMessage(before, id)
  const place = messages.findLastIndex((other) => older.has(other.id)) + 1
  return {
    ...now,
    messages: messages.toSpliced(place, 0, message),
    leaves: now.leaves.map((leaf, column) =>
      before.leaves[column] === id && leaf === without.leaves[column] ? id : leaf,
    ),
  }
}
