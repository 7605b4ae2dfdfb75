import { type Shelf, type Table, TABLES } from './shelf.ts'

/** A shelf for this page view, where the browser has no database for us. */
export function createMemoryShelf(): Shelf {
  let tables = emptyTables()
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(_mode, work) {
      const next = last.then(async () => {
        const draft = { ...tables }
        const result = await work({
          get: async (table, id) => structuredClone(draft[table].get(id)),
          all: async (table) => structuredClone([...draft[table].values()]),
          ids: async (table) => [...draft[table].keys()],
          put: (table, id, value) => {
            draft[table] = new Map(draft[table]).set(id, structuredClone(value))
          },
          remove: (table, id) => {
            draft[table] = new Map([...draft[table]].filter(([key]) => key !== id))
          },
        })
        tables = draft
        return result
      })
      last = next.catch(() => undefined)
      return next
    },
    close: () => undefined,
  }
}

type Tables = Record<Table, ReadonlyMap<string, unknown>>

function emptyTables(): Tables {
  const [summaries, conversations] = TABLES
  return { [summaries]: new Map(), [conversations]: new Map() }
}
