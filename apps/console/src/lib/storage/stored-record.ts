import * as v from 'valibot'

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface StoredRecord<T> {
  /** `undefined` when nothing is stored or the stored value no longer fits the schema. */
  read(): T | undefined
  /** A full or blocked storage is not an error: the value then lasts until the user leaves the page. */
  write(value: T): void
  remove(): void
}

export function storedRecord<const S extends v.GenericSchema>(
  storage: KeyValueStorage,
  key: string,
  schema: S,
): StoredRecord<v.InferOutput<S>> {
  return {
    read() {
      const text = storage.getItem(key)
      if (text === null) return undefined
      try {
        const parsed = v.safeParse(schema, JSON.parse(text))
        return parsed.success ? parsed.output : undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        storage.setItem(key, JSON.stringify(value))
      } catch {
        // Full or blocked: see above.
      }
    },
    remove: () => storage.removeItem(key),
  }
}

/** Local or tab storage, or a substitute for this page view if it is blocked. */
export function browserStorage(area: 'localStorage' | 'sessionStorage' = 'localStorage'): KeyValueStorage {
  try {
    const probe = 'sluice.probe'
    const storage = window[area]
    storage.setItem(probe, '1')
    storage.removeItem(probe)
    return storage
  } catch {
    return memoryStorage()
  }
}

export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    key: (index) => [...values.keys()][index] ?? null,
    get length() {
      return values.size
    },
  }
}
