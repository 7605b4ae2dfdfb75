import * as v from 'valibot'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { createStore, type Store } from '~/lib/store.ts'
import { type Conversation, conversation } from '../message.ts'
import type { History } from './history.ts'

export interface ConversationStore {
  /** Id of the conversation that is not stored; undefined without one. */
  readonly temporary: Store<string | undefined>
  /** The conversation that was shown last; undefined when there was none, or when it is gone. */
  restored(): Promise<Conversation | undefined>
  show(id: string): void
  /** Returns the conversation with the changes from other tabs. A temporary one is returned as it is, not stored. */
  save(conversation: Conversation): Promise<Conversation>
  /** For a closing tab: saves what is still on its way to the database in another way. */
  hurry(): void
  /** For a tab that was not closed after all: the database receives what is on its way. */
  relax(): void
}

export interface ConversationStoreParts {
  readonly history: History
  /** Outlives the tab. */
  readonly storage: KeyValueStorage
  /** Lives as long as the tab, so that a reloaded tab resumes its own conversation. */
  readonly tab: KeyValueStorage
  readonly owner: number
  /** Whether the owner is still signed in. Nothing is written for a user who has signed out. */
  readonly isSignedIn: () => boolean
}

export function createConversationStore({
  history,
  storage,
  tab,
  owner,
  isSignedIn,
}: ConversationStoreParts): ConversationStore {
  const temporary = createStore<string | undefined>(undefined)
  const shownInTab = storedRecord(tab, PLAYGROUND_KEYS.conversation, v.string())
  const shownLast = storedRecord(storage, PLAYGROUND_KEYS.conversation, v.string())
  /** The latest state of each conversation on its way to the database, by id. */
  const pending = new Map<string, Conversation>()
  let stored: Conversation | undefined

  return {
    temporary,
    async restored() {
      for (const left of takeUp(storage, owner)) await history.save(left)
      const id = shownInTab.read() ?? shownLast.read()
      return id === undefined ? undefined : history.read(id)
    },
    show(id) {
      if (!isSignedIn()) return
      shownInTab.write(id)
      shownLast.write(id)
    },
    async save(conversation) {
      const { id } = conversation
      if (id === temporary.get() || !isSignedIn()) return conversation
      pending.set(id, conversation)
      const result = await history.save(conversation)
      if (pending.get(id) === conversation) pending.delete(id)
      if (!history.get().failed) stored = conversation
      return result
    },
    hurry() {
      if (!isSignedIn()) return
      for (const [id, conversation] of pending) {
        leaveBehind(storage, owner, conversation, stored?.id === id ? stored : undefined)
      }
    },
    relax: () => void takeUp(storage, owner),
  }
}

const leftover = v.object({ owner: v.number(), conversation })

/**
 * For a closing tab, which has no time left for a database. Writes only messages that the database does not have (`stored`). What
 * does not fit is lost.
 */
function leaveBehind(
  storage: KeyValueStorage,
  owner: number,
  latest: Conversation,
  stored: Conversation | undefined,
): void {
  const there = new Set(stored?.messages)
  const messages = latest.messages.filter((message) => !there.has(message))
  if (messages.length === 0) return
  storedRecord(storage, PLAYGROUND_KEYS.left(latest.id), leftover).write({
    owner,
    conversation: { ...latest, messages },
  })
}

/** Returns what this user's tabs left behind, to be added to what is stored. Removes it, and what other users' tabs left. */
function takeUp(storage: KeyValueStorage, owner: number): readonly Conversation[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  return keys.flatMap((key) => {
    if (key?.startsWith(PLAYGROUND_KEYS.left('')) !== true) return []
    const record = storedRecord(storage, key, leftover)
    const found = record.read()
    record.remove()
    return found?.owner === owner ? [found.conversation] : []
  })
}
