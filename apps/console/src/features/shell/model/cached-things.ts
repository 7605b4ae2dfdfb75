import * as v from 'valibot'
import type { Thing } from './recent.ts'

/** The part of a query cache that is read. */
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
 * Rows that the lists have shown in this visit and whose name or id matches the text: found at once, even without a connection.
 * Lists cache their pages as `{ rows }` under a key that begins with their area.
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
