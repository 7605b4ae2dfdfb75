export const TABLES = ['summaries', 'conversations'] as const
type Table = (typeof TABLES)[number]

/** The records of one transaction. Values can be anything: another version of this console may have written them. */
export interface Records {
  get(table: Table, id: string): Promise<unknown>
  all(table: Table): Promise<readonly unknown[]>
  ids(table: Table): Promise<readonly string[]>
  /** A failed write fails the whole transaction. */
  put(table: Table, id: string, value: unknown): void
  remove(table: Table, id: string): void
}

export interface Shelf {
  /**
   * Runs `work` as a whole or not at all, and never while another writing `work` runs in any tab. `work` may only wait for records.
   * Rejects when the disk is full or the shelf is closed.
   */
  run<T>(mode: 'readonly' | 'readwrite', work: (records: Records) => Promise<T>): Promise<T>
  close(): void
}

/** Lasts for this page view, where the browser has no database for us. */
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

const VERSION = 1

/** How long opening may take, in milliseconds; a browser whose disk hangs must not keep the user from writing. */
const OPEN_MS = 3_000

/**
 * A shelf in the browser's own database, shared by all tabs. Undefined if the database is switched off, broken, newer than this
 * console, or not open in time. Closes for good when the database is deleted, which is how sign-out in any tab stops the writes of
 * the others.
 */
export async function openIndexedShelf(
  factory: IDBFactory | undefined,
  name: string,
  timeout: (milliseconds: number) => Promise<void>,
): Promise<Shelf | undefined> {
  if (factory === undefined) return undefined
  const opening = openDatabase(factory, name).catch(() => undefined)
  const database = await Promise.race([opening, timeout(OPEN_MS)])
  if (database instanceof IDBDatabase) return shelfOf(database)
  // The database may still open, and would then block a deletion.
  void opening.then((late) => late?.close())
  return undefined
}

/** Rejects, never throws: some browsers refuse by throwing. */
async function openDatabase(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, VERSION)
  request.addEventListener('upgradeneeded', () => {
    for (const table of TABLES) request.result.createObjectStore(table)
  })
  return await resultOf(request)
}

function shelfOf(database: IDBDatabase): Shelf {
  database.addEventListener('versionchange', () => database.close())
  return {
    async run(mode, work) {
      const transaction = database.transaction(TABLES, mode)
      const complete = completionOf(transaction)
      try {
        const result = await work(recordsOf(transaction))
        await complete
        return result
      } catch (error) {
        complete.catch(() => undefined)
        abort(transaction)
        throw error
      }
    },
    close: () => database.close(),
  }
}

function recordsOf(transaction: IDBTransaction): Records {
  return {
    get: (table, id) => resultOf<unknown>(transaction.objectStore(table).get(id)),
    all: (table) => resultOf<unknown[]>(transaction.objectStore(table).getAll()),
    ids: async (table) => (await resultOf(transaction.objectStore(table).getAllKeys())).map(String),
    put: (table, id, value) => void transaction.objectStore(table).put(value, id),
    remove: (table, id) => void transaction.objectStore(table).delete(id),
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The database failed.')))
  })
}

function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The database gave up.')))
  })
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // The transaction has already ended.
  }
}
