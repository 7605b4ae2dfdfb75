import type { Refusal } from '@sluice/contract/errors'

export interface BodyOwner {
  /** The sender's address, or the network that one customer gets. */
  readonly network: string
  /** Undefined for a guest. */
  readonly userId: number | undefined
}

/** Shares of the whole memory that one user, and one network, may take. */
const USERS_PART = 1 / 4
const NETWORKS_PART = 1 / 2
/** When memory is fuller than this, the process reports that it is not ready. */
const NEARLY_FULL = 0.9

/**
 * Bytes of request or answer bodies that this process holds, limited in total, per user and per network, so that no one can take
 * all the memory (class S43). A user or network that holds nothing can always have one body of the largest size, twice while it is
 * assembled.
 */
export class BodyMemory {
  readonly #ceiling: number
  readonly #ofUser: number
  readonly #ofNetwork: number
  readonly #what: string
  #held = 0
  readonly #users = new Map<number, number>()
  readonly #networks = new Map<string, number>()

  /** Limits in bytes for all bodies together and for a single one; `what` names them in refusals. */
  constructor(ceiling: number, largest: number, what = 'request bodies') {
    this.#what = what
    this.#ceiling = ceiling
    this.#ofUser = Math.max(2 * largest, Math.floor(ceiling * USERS_PART))
    this.#ofNetwork = Math.max(2 * largest, Math.floor(ceiling * NETWORKS_PART))
  }

  get isNearlyFull(): boolean {
    return this.#held > this.#ceiling * NEARLY_FULL
  }

  /** Reserves this many more bytes for their owner, or returns the reason why it cannot. */
  take({ network, userId }: BodyOwner, bytes: number): Refusal | undefined {
    const ofNetwork = (this.#networks.get(network) ?? 0) + bytes
    const ofUser = userId === undefined ? 0 : (this.#users.get(userId) ?? 0) + bytes
    if (ofUser > this.#ofUser) return tooMuch(this.#ofUser, this.#what, 'account')
    if (ofNetwork > this.#ofNetwork) return tooMuch(this.#ofNetwork, this.#what, 'address')
    if (this.#held + bytes > this.#ceiling) return full(this.#ceiling, this.#what)
    this.#held += bytes
    this.#networks.set(network, ofNetwork)
    if (userId !== undefined) this.#users.set(userId, ofUser)
    return undefined
  }

  /** Call only for bytes that were taken. */
  giveBack({ network, userId }: BodyOwner, bytes: number): void {
    this.#held -= bytes
    lower(this.#networks, network, bytes)
    if (userId !== undefined) lower(this.#users, userId, bytes)
  }
}

export class BodyClaim {
  readonly #memory: BodyMemory
  readonly #owner: BodyOwner
  #bytes = 0
  #isOver = false

  constructor(memory: BodyMemory, owner: BodyOwner) {
    this.#memory = memory
    this.#owner = owner
  }

  /** Takes more, or gives back the excess. */
  hold(bytes: number): Refusal | undefined {
    // Code still reading for a request that has ended will notice soon, so its bytes are not counted.
    if (this.#isOver) return undefined
    if (bytes < this.#bytes) this.#memory.giveBack(this.#owner, this.#bytes - bytes)
    else if (bytes > this.#bytes) {
      const refusal = this.#memory.take(this.#owner, bytes - this.#bytes)
      if (refusal !== undefined) return refusal
    }
    this.#bytes = bytes
    return undefined
  }

  holdMore(bytes: number): Refusal | undefined {
    return this.hold(this.#bytes + bytes)
  }

  release(): void {
    this.hold(0)
    this.#isOver = true
  }
}

function lower<Key>(sums: Map<Key, number>, key: Key, bytes: number): void {
  const left = (sums.get(key) ?? 0) - bytes
  if (left > 0) sums.set(key, left)
  else sums.delete(key)
}

const full = (ceiling: number, what: string): Refusal => ({
  code: 'overloaded',
  params: { limit: `${ceiling} bytes of ${what}` },
  retryAfter: 1,
})

const tooMuch = (share: number, what: string, of: string): Refusal => ({
  code: 'rate_limited',
  params: { limit: `${share} bytes of ${what} at the same time for this ${of}`, seconds: 1 },
  retryAfter: 1,
})
