import type { ChatMessage, Conversation } from '../message.ts'

type ById = ReadonlyMap<string, ChatMessage>

/**
 * Merges two tabs' changes to one conversation. `base` is what both began with; undefined if they began with nothing. What either
 * added or edited is kept, what either removed is gone unless the other edited it; where both edited the same message, ours wins.
 */
export function merged(base: Conversation | undefined, ours: Conversation, theirs: Conversation): Conversation {
  const before = byId(base)
  const { mine, added } = mergedMessages(before, ours, theirs)
  // Without a common base, ours is the newer one.
  const messages = base === undefined ? [...added, ...mine] : [...mine, ...added]
  const left = new Set(messages.map(({ id }) => id))
  const known: ById = new Map([...before, ...byId(theirs), ...byId(ours)])
  const surviving = (id: string | null) => nearestLeft(id, left, known)
  const leaves = isSame(ours.leaves, base?.leaves) ? theirs.leaves : ours.leaves
  return {
    ...ours,
    title: ours.title === (base?.title ?? '') ? theirs.title : ours.title,
    messages: messages.map((message) => withParent(message, surviving(message.parent))),
    leaves: leaves.map(surviving),
  }
}

/** Our messages as they are now, plus those that only theirs has. */
function mergedMessages(before: ById, ours: Conversation, theirs: Conversation) {
  const known = byId(ours)
  const other = byId(theirs)
  const mine = ours.messages.flatMap((message) => {
    if (isWritten(message, before)) return [message]
    const their = other.get(message.id)
    return their === undefined ? [] : [their]
  })
  const added = theirs.messages.filter((message) => !known.has(message.id) && isWritten(message, before))
  return { mine, added }
}

/** Whether a tab added or edited it. A new parent because a message between them was removed does not count. */
function isWritten(message: ChatMessage, before: ById): boolean {
  const old = before.get(message.id)
  return old === undefined || !isSame({ ...message, parent: null }, { ...old, parent: null })
}

/** The message itself, or its nearest ancestor that still exists. */
function nearestLeft(id: string | null, left: ReadonlySet<string>, known: ById): string | null {
  const seen = new Set<string>()
  let at = id
  // Each is visited once, so that damaged data cannot cause an endless loop.
  while (at !== null && !left.has(at) && !seen.has(at)) {
    seen.add(at)
    at = known.get(at)?.parent ?? null
  }
  return at !== null && left.has(at) ? at : null
}

function withParent(message: ChatMessage, parent: string | null): ChatMessage {
  return message.parent === parent ? message : { ...message, parent }
}

function byId(conversation: Conversation | undefined): ById {
  return new Map(conversation?.messages.map((message) => [message.id, message]))
}

/** Whether two parts of conversations are equal. A different order of keys counts as a difference, which loses nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
