import { type Records, type Shelf, TABLES } from './shelf.ts'

const VERSION = 1

/** How long opening may take, in milliseconds; a browser whose disk hangs must not keep the user from writing. */
const OPEN_MS = 3_000

/**
 * A shelf in the browser's own database, shared by all tabs. Undefined if there is none for us: switched off, broken, made by a
 * newer version of this console, or not open in time. It closes for good when the database is deleted, which is how sign-out in any
 * tab stops the writes of the others.
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
  // It may still open, and would then block a deletion.
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
