/** An answer in the Responses dialect that no provider stores, because its provider speaks another dialect. */
export interface CachedResponse {
  readonly id: string
  /** As sent to its client: JSON. */
  readonly response: Uint8Array
  /** The input: JSON of the items, with commas between. Undefined when it is too large to be cached. */
  readonly input: Uint8Array | undefined
  readonly output: readonly CachedItem[]
}

export interface CachedItem {
  /** Empty for items that cannot be referred to. */
  readonly id: string
  /** Its JSON, a view of the response. */
  readonly bytes: Uint8Array
}

/** The cache of this process, for requests in this thread or another one. */
export interface ResponseCache {
  /** Every later `find` returns it, unless it is too large. */
  remember(userId: number, response: CachedResponse): unknown
  find(userId: number, id: string): Awaitable<CachedResponse | undefined>
  findItem(userId: number, id: string): Awaitable<CachedItem | undefined>
  forget(userId: number, id: string): Awaitable<boolean>
}

type Awaitable<Value> = Value | Promise<Value>

/**
 * Translated responses of the last hour, so that a later call can refer to them. The cache exists only in this process's memory:
 * conversations are never written to disk. The id of another user's response gets the same result as an unknown id (class S31).
 */
export interface CachedResponses extends ResponseCache {
  /** False when it is too large. */
  remember(userId: number, response: CachedResponse): boolean
  find(userId: number, id: string): CachedResponse | undefined
  findItem(userId: number, id: string): CachedItem | undefined
  forget(userId: number, id: string): boolean
  /** Removes expired entries. Must be called periodically, because nothing else removes entries that are never requested. */
  sweep(): void
}

export interface MemoryBounds {
  readonly ms: number
  /** Bytes of all responses; the oldest are evicted first. */
  readonly bytes: number
  /** Limit per user, so that no user can evict everyone else's. */
  readonly userBytes: number
  readonly entryBytes: number
}

const MIB = 1_048_576
export const MEMORY_BOUNDS: MemoryBounds = {
  ms: 3_600_000,
  bytes: 64 * MIB,
  userBytes: 16 * MIB,
  entryBytes: 4 * MIB,
}
/** Approximate memory of a response and of each item besides their bytes. */
const OVERHEAD = 512

/** `now` in unix milliseconds. */
export function createCachedResponses(now: () => number, bounds: MemoryBounds = MEMORY_BOUNDS): CachedResponses {
  return new Memory(now, bounds)
}

interface Entry {
  readonly userId: number
  readonly response: CachedResponse
  readonly bytes: number
  /** Unix milliseconds. */
  readonly until: number
}

interface Shelf {
  bytes: number
  /** By response id, oldest first. */
  readonly entries: Map<string, Entry>
  readonly items: Map<string, CachedItem>
}

class Memory implements CachedResponses {
  readonly #now: () => number
  readonly #bounds: MemoryBounds
  readonly #shelves = new Map<number, Shelf>()
  /** Oldest first. */
  readonly #ages = new Set<Entry>()
  #bytes = 0

  constructor(now: () => number, bounds: MemoryBounds) {
    this.#now = now
    this.#bounds = bounds
  }

  remember(userId: number, response: CachedResponse): boolean {
    const entry = this.#entryOf(userId, response)
    if (entry === undefined) return false
    this.forget(userId, response.id)
    const shelf = this.#shelves.get(userId) ?? { bytes: 0, entries: new Map(), items: new Map() }
    this.#shelves.set(userId, shelf)
    shelf.entries.set(response.id, entry)
    for (const item of response.output) if (item.id !== '') shelf.items.set(item.id, item)
    this.#ages.add(entry)
    shelf.bytes += entry.bytes
    this.#bytes += entry.bytes
    while (shelf.bytes > this.#bounds.userBytes) this.#dropFirst(shelf.entries.values())
    while (this.#bytes > this.#bounds.bytes) this.#dropFirst(this.#ages)
    this.sweep()
    return true
  }

  find(userId: number, id: string): CachedResponse | undefined {
    this.sweep()
    return this.#shelves.get(userId)?.entries.get(id)?.response
  }

  findItem(userId: number, id: string): CachedItem | undefined {
    this.sweep()
    return this.#shelves.get(userId)?.items.get(id)
  }

  forget(userId: number, id: string): boolean {
    const entry = this.#shelves.get(userId)?.entries.get(id)
    if (entry !== undefined) this.#drop(entry)
    return entry !== undefined
  }

  sweep(): void {
    const now = this.#now()
    for (const entry of this.#ages) {
      if (entry.until > now) return
      this.#drop(entry)
    }
  }

  /** Omits the input if both together are too large; the response's items can still be referred to. */
  #entryOf(userId: number, response: CachedResponse): Entry | undefined {
    const own = response.response.length + OVERHEAD * (1 + response.output.length)
    const whole = own + (response.input?.length ?? 0)
    const { entryBytes, ms } = this.#bounds
    if (own > entryBytes) return undefined
    const until = this.#now() + ms
    return whole > entryBytes
      ? { userId, response: { ...response, input: undefined }, bytes: own, until }
      : { userId, response, bytes: whole, until }
  }

  #dropFirst(entries: Iterable<Entry>): void {
    for (const entry of entries) return this.#drop(entry)
  }

  #drop(entry: Entry): void {
    const { userId, response } = entry
    const shelf = this.#shelves.get(userId)
    if (shelf === undefined || !this.#ages.delete(entry)) return
    this.#bytes -= entry.bytes
    shelf.bytes -= entry.bytes
    shelf.entries.delete(response.id)
    for (const item of response.output) if (shelf.items.get(item.id) === item) shelf.items.delete(item.id)
    if (shelf.entries.size === 0) this.#shelves.delete(userId)
  }
}
