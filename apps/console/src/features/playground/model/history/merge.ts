import type { ChatMessage, Conversation } from '../message.ts'

type ById = ReadonlyMap<string, ChatMessage>

/**
 * One conversation that two tabs changed, as each of them wanted it. `base` is what both began with; undefined where they began with
 * nothing. What either added or edited is there, what either took out is gone unless the other edited it; where both
 * edited the same, ours wins.
 */
export function merged(base: Conversation | undefined, ours: Conversation, theirs: Conversation): Conversation {
  const before = byId(base)
  const { mine, added } = mergedMessages(before, ours, theirs)
  // Without a beginning in common, ours is what came last.
  const messages = base === undefined ? [...added, ...mine] : [...mine, ...added]
  const kept = new Set(messages.map(({ id }) => id))
  const known: ById = new Map([...before, ...byId(theirs), ...byId(ours)])
  const surviving = (id: string | null) => nearestKept(id, kept, known)
  const leaves = isSame(ours.leaves, base?.leaves) ? theirs.leaves : ours.leaves
  return {
    ...ours,
    title: ours.title === (base?.title ?? '') ? theirs.title : ours.title,
    messages: messages.map((message) => withParent(message, surviving(message.parent))),
    leaves: leaves.map(surviving),
  }
}

/** Ours as they are now, and what theirs has beyond them. */
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

/** Whether a tab added or edited it. That it follows another message because one between them was taken out does not count. */
function isWritten(message: ChatMessage, before: ById): boolean {
  const old = before.get(message.id)
  return old === undefined || !isSame({ ...message, parent: null }, { ...old, parent: null })
}

/** The message itself, or the nearest before it that is still there. */
function nearestKept(id: string | null, kept: ReadonlySet<string>, known: ById): string | null {
  const seen = new Set<string>()
  let at = id
  // Each is visited once, so that a damaged store cannot make a ring.
  while (at !== null && !kept.has(at) && !seen.has(at)) {
    seen.add(at)
    at = known.get(at)?.parent ?? null
  }
  return at !== null && kept.has(at) ? at : null
}

function withParent(message: ChatMessage, parent: string | null): ChatMessage {
  return message.parent === parent ? message : { ...message, parent }
}

function byId(conversation: Conversation | undefined): ById {
  return new Map(conversation?.messages.map((message) => [message.id, message]))
}

/** Whether two parts of conversations say the same. Keys in another order count as a difference, which loses nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
