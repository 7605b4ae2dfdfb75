import * as v from 'valibot'
import { PLAYGROUND_KEYS } from '../../../../lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../../../../lib/storage/stored-record.ts'
import { createStore, type Store } from '../../../../lib/store/store.ts'
import type { Conversation } from '../message.ts'
import type { History } from './history.ts'
import { leaveBehind, takeUp } from './left.ts'

/** Lets the conversations of a playground outlive it. */
export interface Keeper {
  /** Id of the conversation that is not stored; undefined while there is none. */
  readonly temporary: Store<string | undefined>
  /** The conversation that was shown last; undefined when there was none, or when it is gone. */
  restored(): Promise<Conversation | undefined>
  /** Notes which conversation is shown. */
  show(id: string): void
  /** Stores a conversation and answers it with what other tabs did to it. A temporary one stays as it is. */
  keep(conversation: Conversation): Promise<Conversation>
  /** The tab is being closed: what is still on its way to the database is kept in another way. */
  hurry(): void
  /** The tab was not closed after all: what is on its way gets there. */
  relax(): void
}

export interface KeeperParts {
  readonly history: History
  /** Outlives the tab. */
  readonly storage: KeyValueStorage
  /** Ends with the tab, so that each goes on with its own conversation when it is reloaded. */
  readonly tab: KeyValueStorage
  readonly owner: number
  /** Whether the owner is still signed in. Nothing is written for somebody who has left. */
  readonly isSignedIn: () => boolean
}

export function createKeeper({ history, storage, tab, owner, isSignedIn }: KeeperParts): Keeper {
  const temporary = createStore<string | undefined>(undefined)
  const shownInTab = storedRecord(tab, PLAYGROUND_KEYS.conversation, v.string())
  const shownLast = storedRecord(storage, PLAYGROUND_KEYS.conversation, v.string())
  /** What is on its way to the database, by id, the latest of each. */
  const pending = new Map<string, Conversation>()
  /** What was last stored from here. */
  let stored: Conversation | undefined

  return {
    temporary,
    async restored() {
      for (const left of takeUp(storage, owner)) await history.keep(left)
      const id = shownInTab.read() ?? shownLast.read()
      return id === undefined ? undefined : history.read(id)
    },
    show(id) {
      if (!isSignedIn()) return
      shownInTab.write(id)
      shownLast.write(id)
    },
    async keep(conversation) {
      const { id } = conversation
      if (id === temporary.get() || !isSignedIn()) return conversation
      pending.set(id, conversation)
      const result = await history.keep(conversation)
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
