import * as v from 'valibot'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { type Conversation, conversation } from '../message.ts'

const leftover = v.object({ owner: v.number(), conversation })

/**
 * Saves the latest state while a tab is being closed, when there is no time left for a database. Only messages that are not in
 * `stored` are written: `stored` is what the database has of this conversation. What does not fit is lost.
 */
export function leaveBehind(
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

/** Returns what this user's tabs left behind, to be added to what is stored, and removes it, that of other users too. */
export function takeUp(storage: KeyValueStorage, owner: number): readonly Conversation[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  return keys.flatMap((key) => {
    if (key?.startsWith(PLAYGROUND_KEYS.left('')) !== true) return []
    const record = storedRecord(storage, key, leftover)
    const found = record.read()
    record.remove()
    return found?.owner === owner ? [found.conversation] : []
  })
}
