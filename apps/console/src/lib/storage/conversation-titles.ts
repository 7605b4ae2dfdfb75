import * as v from 'valibot'
import { PLAYGROUND_KEYS } from './keys.ts'
import { type KeyValueStorage, storedRecord } from './stored-record.ts'

const titles = v.object({
  owner: v.number(),
  titles: v.array(v.object({ id: v.string(), title: v.string() })),
})
export type ConversationTitle = v.InferOutput<typeof titles>['titles'][number]

/** Latest first. The playground writes the titles, so that finding conversations does not need its database. */
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
