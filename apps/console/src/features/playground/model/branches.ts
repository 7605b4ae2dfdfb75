import type { ChatMessage, Conversation, MessageContent, ReplyFigures } from './message.ts'

export function pathTo(messages: readonly ChatMessage[], leaf: string | null): readonly ChatMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const path: ChatMessage[] = []
  let next = leaf === null ? undefined : byId.get(leaf)
  while (next !== undefined) {
    path.unshift(next)
    // Each message is visited once, so that damaged data cannot cause an endless loop.
    byId.delete(next.id)
    next = next.parent === null ? undefined : byId.get(next.parent)
  }
  return path
}

/** Messages with the same parent, oldest first; includes the message itself. */
export function siblingsOf(messages: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  return messages.filter(({ parent }) => parent === message.parent)
}

/** End of the newest branch below a message; the message itself when nothing follows. */
export function newestLeaf(messages: readonly ChatMessage[], id: string): string {
  const newestAfter = new Map(messages.map((message) => [message.parent, message.id]))
  let leaf = id
  for (;;) {
    const next = newestAfter.get(leaf)
    if (next === undefined) return leaf
    newestAfter.delete(leaf)
    leaf = next
  }
}

export function withBranch(conversation: Conversation, column: number, id: string): Conversation {
  return withLeaf(conversation, column, newestLeaf(conversation.messages, id))
}

export function withMessage(conversation: Conversation, column: number, message: ChatMessage): Conversation {
  return withMessageInColumns(conversation, [column], message)
}

export function withMessageInColumns(
  conversation: Conversation,
  columns: readonly number[],
  message: ChatMessage,
): Conversation {
  return {
    ...conversation,
    messages: [...conversation.messages, message],
    leaves: conversation.leaves.map((old, column) => (columns.includes(column) ? message.id : old)),
  }
}

export function withLeaf(conversation: Conversation, column: number, leaf: string | null): Conversation {
  return { ...conversation, leaves: conversation.leaves.map((old, index) => (index === column ? leaf : old)) }
}

export function withEdit(conversation: Conversation, id: string, content: MessageContent, now: number): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) =>
      message.id === id ? { ...message, content, timestamp: now } : message,
    ),
  }
}

export function withFigures(conversation: Conversation, id: string, more: Partial<ReplyFigures>): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) =>
      message.id === id && message.figures !== undefined
        ? { ...message, figures: { ...message.figures, ...more } }
        : message,
    ),
  }
}

/**
 * Attaches what followed the message to what came before it. A column that ended with it shows a neighbouring branch that no other
 * column shows, otherwise what came before.
 */
export function withoutMessage(conversation: Conversation, id: string): Conversation {
  const gone = conversation.messages.find((message) => message.id === id)
  if (gone === undefined) return conversation
  const elsewhere = new Set(
    conversation.leaves.filter((leaf) => leaf !== id).flatMap((leaf) => pathTo(conversation.messages, leaf)),
  )
  const beside = siblingsOf(conversation.messages, gone).filter((each) => !elsewhere.has(each) || each === gone)
  const at = beside.indexOf(gone)
  const next = beside[at - 1] ?? beside[at + 1]
  const shown = next === undefined ? gone.parent : newestLeaf(conversation.messages, next.id)
  return {
    ...conversation,
    messages: conversation.messages
      .filter((message) => message !== gone)
      .map((message) => (message.parent === id ? { ...message, parent: gone.parent } : message)),
    leaves: conversation.leaves.map((leaf) => (leaf === id ? shown : leaf)),
  }
}
