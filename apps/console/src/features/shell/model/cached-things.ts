import * as v from 'valibot'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '~/lib/storage/stored-record.ts'

export interface CachedAnswers {
  getQueriesData(filters: { readonly queryKey: readonly unknown[] }): readonly (readonly [unknown, unknown])[]
}

const named = v.object({ id: v.number(), name: v.string() })
const KINDS = [
  { kind: 'token', key: 'tokens', row: named },
  { kind: 'channel', key: 'channels', row: named },
  {
    kind: 'user',
    key: 'users',
    row: v.pipe(
      v.object({ id: v.number(), username: v.string() }),
      v.transform(({ id, username }) => ({ id, name: username })),
    ),
  },
] as const

/**
 * Rows that the lists have shown in this visit and that match by name or id: found at once, even without a connection. Lists cache
 * their pages as `{ rows }` under a key that begins with their area.
 */
export function cachedThings(cache: CachedAnswers, text: string): readonly Thing[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const found = new Map<string, Thing>()
  for (const { kind, key, row } of KINDS) {
    const pages = v.object({ rows: v.array(row) })
    for (const [, answer] of cache.getQueriesData({ queryKey: [key] })) {
      const page = v.safeParse(pages, answer)
      if (!page.success) continue
      for (const { id, name } of page.output.rows) {
        if (String(id) !== wanted && !name.toLowerCase().includes(wanted)) continue
        found.set(`${kind} ${id}`, { kind, id: String(id), name })
      }
    }
  }
  return [...found.values()]
}

export const FINDABLE = ['token', 'user', 'channel', 'model'] as const
export type Findable = (typeof FINDABLE)[number]

/** A search result. `id` is the row's; for a model it is the name. */
export interface Thing {
  readonly kind: Findable
  readonly id: string
  readonly name: string
}

const MOST_RECENT = 6
const things = v.array(v.object({ kind: v.picklist(FINDABLE), id: v.string(), name: v.string() }))

/** Opened from the palette in this browser, latest first. Signing out clears the list. */
export function recentThings(storage: KeyValueStorage): readonly Thing[] {
  return storedRecord(storage, STORAGE_KEYS.recent, things).read() ?? []
}

export function rememberThing(storage: KeyValueStorage, { kind, id, name }: Thing): void {
  const others = recentThings(storage).filter((one) => one.kind !== kind || one.id !== id)
  storedRecord(storage, STORAGE_KEYS.recent, things).write([{ kind, id, name }, ...others].slice(0, MOST_RECENT))
}
