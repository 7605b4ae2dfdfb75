import { createStore, type Store } from '~/lib/store.ts'
import type { Conversation, ChatMessage } from '../message.ts'
import { inOrder, type Summary, titleOf } from './conversation-summary.ts'
import { type StoredConversation, type OwnRecords, recordsOf, summaryOf } from './records.ts'
import type { Shelf } from './shelf.ts'

export interface HistoryState {
  readonly entries: readonly Summary[]
  /** True after a change that could not be stored: the disk is full, or another tab deleted everything. */
  readonly failed: boolean
}

/**
 * One user's conversations in this browser. No method rejects: the state shows when something could not be stored. Changes are made
 * in the order in which they were requested.
 */
export interface History extends Pick<Store<HistoryState>, 'get' | 'subscribe'> {
  /** Does nothing for an unchanged conversation. Returns what is stored afterwards, including other tabs' changes. */
  save(conversation: Conversation): Promise<Conversation>
  read(id: string): Promise<Conversation | undefined>
  rename(id: string, title: string): Promise<void>
  pin(id: string, pinned: boolean): Promise<void>
  /** Returns the removed conversations, for `restore`. */
  remove(ids: readonly string[]): Promise<readonly StoredConversation[]>
  restore(removed: readonly StoredConversation[]): Promise<void>
  refresh(): Promise<void>
}

export interface HistoryParts {
  readonly shelf: Shelf
  /** Id of the user. What other users left on the shelf is removed. */
  readonly owner: number
  /** Unix milliseconds. */
  readonly now: () => number
  readonly announce: (ids: readonly string[]) => void
}

interface Seen {
  readonly conversation: Conversation
  /** The revision at which the shelf held exactly this; undefined if it holds more. */
  readonly revision: number | undefined
}

/** Number of cached conversations: after a switch, the previous one is still written to. */
const MOST_SEEN = 4

/** Removes records that no one can read, and reads the list. */
export async function openHistory(parts: HistoryParts): Promise<History> {
  const { shelf, owner } = parts
  const history = new OpenedHistory(parts)
  await shelf.run('readwrite', (records) => recordsOf(records, owner).tidy()).catch(() => undefined)
  await history.refresh()
  return history
}

class OpenedHistory implements History {
  readonly #parts: HistoryParts
  readonly #store = createStore<HistoryState>({ entries: [], failed: false })
  readonly #seen = new Map<string, Seen>()
  /** Revisions of conversations that were read from the shelf or are stored there unchanged. */
  readonly #revisions = new WeakMap<Conversation, number>()
  #last: Promise<unknown> = Promise.resolve()
  readonly get = this.#store.get
  readonly subscribe = this.#store.subscribe

  constructor(parts: HistoryParts) {
    this.#parts = parts
  }

  save(ours: Conversation): Promise<Conversation> {
    return this.#inTurn(ours, async () => {
      const there = await this.#look((records) => records.summary(ours.id))
      const known = this.#revisions.get(ours)
      // Unchanged since it was stored, or removed by another tab with nothing added since.
      if (known !== undefined && (there === undefined || there.revision === known)) {
        this.#see(ours, known)
        return ours
      }
      // A conversation read from the shelf contains no changes from this tab, whatever the tab has seen since.
      const base = known === undefined ? this.#seen.get(ours.id) : { conversation: ours, revision: known }
      const stored = await this.#change([ours.id], (records) => this.#write(records, ours, base))
      if (stored === undefined) return ours
      this.#revisions.set(stored.conversation, stored.summary.revision)
      this.#see(ours, stored.conversation === ours ? stored.summary.revision : undefined)
      return stored.conversation
    })
  }

  read(id: string): Promise<Conversation | undefined> {
    return this.#inTurn(undefined, async () => {
      const stored = await this.#look((records) => records.stored(id))
      if (stored !== undefined) this.#revisions.set(stored.conversation, stored.summary.revision)
      return stored?.conversation
    })
  }

  rename(id: string, title: string): Promise<void> {
    return this.#alter(id, ({ summary, conversation }) => ({ summary, conversation: { ...conversation, title } }))
  }

  pin(id: string, pinned: boolean): Promise<void> {
    return this.#alter(id, ({ summary, conversation }) => ({ conversation, summary: { ...summary, pinned } }))
  }

  remove(ids: readonly string[]): Promise<readonly StoredConversation[]> {
    return this.#inTurn<readonly StoredConversation[]>([], () => {
      for (const id of ids) this.#unsee(id)
      return this.#change(ids, async (records) => {
        const found = await Promise.all(ids.map((id) => records.stored(id)))
        for (const id of ids) records.remove(id)
        return found.filter((stored) => stored !== undefined)
      })
    })
  }

  restore(removed: readonly StoredConversation[]): Promise<void> {
    const ids = removed.map(({ summary }) => summary.id)
    return this.#inTurn(undefined, () =>
      this.#change(ids, async (records) => removed.forEach((stored) => records.put(stored))),
    )
  }

  refresh(): Promise<void> {
    return this.#inTurn(undefined, async () => {
      const entries = await this.#look((records) => records.summaries())
      this.#store.set({ entries: inOrder(entries), failed: false })
    })
  }

  #see(conversation: Conversation, revision: number | undefined): void {
    this.#seen.delete(conversation.id)
    this.#seen.set(conversation.id, { conversation, revision })
    for (const id of [...this.#seen.keys()].slice(0, -MOST_SEEN)) this.#seen.delete(id)
  }

  /** A conversation removed here is stored again if it is saved again. */
  #unsee(id: string): void {
    const known = this.#seen.get(id)
    if (known !== undefined) this.#revisions.delete(known.conversation)
    this.#seen.delete(id)
  }

  /** Runs a step after the steps before it. */
  #inTurn<T>(otherwise: T, step: () => Promise<T>): Promise<T> {
    const next = this.#last.then(step).catch(() => {
      this.#store.set({ ...this.#store.get(), failed: true })
      return otherwise
    })
    this.#last = next
    return next
  }

  #look<T>(work: (records: OwnRecords) => Promise<T>): Promise<T> {
    const { shelf, owner } = this.#parts
    return shelf.run('readonly', (records) => work(recordsOf(records, owner)))
  }

  async #change<T>(ids: readonly string[], work: (records: OwnRecords) => Promise<T>): Promise<T> {
    const { shelf, owner, announce } = this.#parts
    const { result, entries } = await shelf.run('readwrite', async (records) => {
      const own = recordsOf(records, owner)
      return { result: await work(own), entries: await own.summaries() }
    })
    this.#store.set({ entries: inOrder(entries), failed: false })
    announce(ids)
    return result
  }

  #alter(id: string, altered: (stored: StoredConversation) => StoredConversation): Promise<void> {
    return this.#inTurn(undefined, () =>
      this.#change([id], async (records) => {
        const old = await records.stored(id)
        if (old === undefined) return
        const { summary, conversation } = altered(old)
        records.put({
          conversation,
          summary: { ...summary, title: titleOf(conversation), revision: summary.revision + 1 },
        })
      }),
    )
  }

  /** Merges other tabs' changes first. Undefined for an empty conversation, which is not stored. */
  async #write(
    records: OwnRecords,
    ours: Conversation,
    base: Seen | undefined,
  ): Promise<StoredConversation | undefined> {
    const there = await records.stored(ours.id)
    const untouched = there === undefined || there.summary.revision === base?.revision
    const conversation = untouched ? ours : merged(base?.conversation, ours, there.conversation)
    if (conversation.messages.length === 0) {
      records.remove(ours.id)
      return undefined
    }
    if (there !== undefined && isSame(conversation, there.conversation)) return there
    const { owner, now } = this.#parts
    const stored = { conversation, summary: summaryOf(conversation, owner, there?.summary, now()) }
    records.put(stored)
    await records.trim(ours.id)
    return stored
  }
}

type ById = ReadonlyMap<string, ChatMessage>

/**
 * Merges two tabs' changes to one conversation. `base` is the version that both started from, if any. What either added or edited
 * is kept, and what either removed is gone unless the other edited it; where both edited the same message, ours wins.
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

/** Whether a tab added or edited the message. A new parent does not count: it means that a message in between was removed. */
function isWritten(message: ChatMessage, before: ById): boolean {
  const old = before.get(message.id)
  return old === undefined || !isSame({ ...message, parent: null }, { ...old, parent: null })
}

/** The message itself, or its nearest remaining ancestor. */
function nearestLeft(id: string | null, left: ReadonlySet<string>, known: ById): string | null {
  const seen = new Set<string>()
  let at = id
  // Each message is visited once, so that damaged data cannot cause an endless loop.
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

/** A different order of keys counts as a difference, which loses nothing. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
