import * as v from 'valibot'
import { PLAYGROUND_KEYS } from './keys.ts'
import { type KeyValueStorage, storedRecord } from './stored-record.ts'

const titles = v.object({
  /** Id of the user whose conversations they are. */
  owner: v.number(),
  titles: v.array(v.object({ id: v.string(), title: v.string() })),
})
export type ConversationTitle = v.InferOutput<typeof titles>['titles'][number]

/**
 * Titles of the playground's conversations, the latest first: the playground writes them, so that they are found from everywhere
 * without opening its database.
 */
export function conversationTitles(storage: KeyValueStorage, owner: number) {
  const record = storedRecord(storage, PLAYGROUND_KEYS.titles, titles)
  return {
    read(): readonly ConversationTitle[] {
      const found = record.read()
      return found?.owner === owner ? found.titles : []
    },
    write: (all: readonly ConversationTitle[]) => record.write({ owner, titles: [...all] }),
  }
}
