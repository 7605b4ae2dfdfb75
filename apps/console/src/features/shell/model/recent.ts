import * as v from 'valibot'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '~/lib/storage/stored-record.ts'

/** Things that can be found by name. */
export const FINDABLE = ['token', 'user', 'channel', 'model'] as const
export type Findable = (typeof FINDABLE)[number]

/** One of them, as far as a list needs it. `id` is the row's; for a model it is the name. */
export interface Thing {
  readonly kind: Findable
  readonly id: string
  readonly name: string
}

const MOST_RECENT = 6
const things = v.array(v.object({ kind: v.picklist(FINDABLE), id: v.string(), name: v.string() }))

/** What was opened from the palette in this browser, latest first. Signing out clears it. */
export function recentThings(storage: KeyValueStorage): readonly Thing[] {
  return storedRecord(storage, STORAGE_KEYS.recent, things).read() ?? []
}

export function rememberThing(storage: KeyValueStorage, { kind, id, name }: Thing): void {
  const others = recentThings(storage).filter((one) => one.kind !== kind || one.id !== id)
  storedRecord(storage, STORAGE_KEYS.recent, things).write([{ kind, id, name }, ...others].slice(0, MOST_RECENT))
}
