import type { Refusal } from '@sluice/contract/errors'

/** Whose body it is. */
export interface BodyOwner {
  /** Where it comes from: an address, or the network that one customer gets. */
  readonly network: string
  /** Undefined for a guest. */
  readonly userId: number | undefined
}

/** Parts of all memory that one user, and one network, may take. */
const USERS_PART = 1 / 4
const NETWORKS_PART = 1 / 2
/** Fuller than this, a process says that it is not ready. */
const NEARLY_FULL = 0.9

/**
 * Bytes of request bodies that this process holds, with a ceiling for all of them, one for each user and one for each network, so that
 * nobody can take it all (class S43). Whoever holds nothing may always have one body of the largest size, and it twice while it is
 * put together.
 */
export class BodyMemory {
  private readonly ceiling: number
  private readonly ofUser: number
  private readonly ofNetwork: number
  private held = 0
  private readonly users = new Map<number, number>()
  private readonly networks = new Map<string, number>()

  /** Bytes of all bodies, and of the largest one. */
  constructor(ceiling: number, largest: number) {
    this.ceiling = ceiling
    this.ofUser = Math.max(2 * largest, Math.floor(ceiling * USERS_PART))
    this.ofNetwork = Math.max(2 * largest, Math.floor(ceiling * NETWORKS_PART))
  }

  get isNearlyFull(): boolean {
    return this.held > this.ceiling * NEARLY_FULL
  }

  /** Books this much more for its owner, or tells why it cannot be had. */
  take({ network, userId }: BodyOwner, bytes: number): Refusal | undefined {
    const ofNetwork = (this.networks.get(network) ?? 0) + bytes
    const ofUser = userId === undefined ? 0 : (this.users.get(userId) ?? 0) + bytes
    if (ofUser > this.ofUser) return tooMuch(this.ofUser, 'account')
    if (ofNetwork > this.ofNetwork) return tooMuch(this.ofNetwork, 'address')
    if (this.held + bytes > this.ceiling) return full(this.ceiling)
    this.held += bytes
    this.networks.set(network, ofNetwork)
    if (userId !== undefined) this.users.set(userId, ofUser)
    return undefined
  }

  /** Only what was taken. */
  giveBack({ network, userId }: BodyOwner, bytes: number): void {
    this.held -= bytes
    lower(this.networks, network, bytes)
    if (userId !== undefined) lower(this.users, userId, bytes)
  }
}

/** What one request has taken of it. */
export class BodyClaim {
  private readonly memory: BodyMemory
  private readonly owner: BodyOwner
  private bytes = 0
  private isOver = false

  constructor(memory: BodyMemory, owner: BodyOwner) {
    this.memory = memory
    this.owner = owner
  }

  /** Takes more, or gives back what is too much. */
  hold(bytes: number): Refusal | undefined {
    // Whoever still reads for a request that has ended holds it no longer than it takes to see that.
    if (this.isOver) return undefined
    if (bytes < this.bytes) this.memory.giveBack(this.owner, this.bytes - bytes)
    else if (bytes > this.bytes) {
      const refusal = this.memory.take(this.owner, bytes - this.bytes)
      if (refusal !== undefined) return refusal
    }
    this.bytes = bytes
    return undefined
  }

  /** The same on top of what is held. */
  holdMore(bytes: number): Refusal | undefined {
    return this.hold(this.bytes + bytes)
  }

  /** The request has ended. */
  release(): void {
    this.hold(0)
    this.isOver = true
  }
}

function lower<Key>(sums: Map<Key, number>, key: Key, bytes: number): void {
  const left = (sums.get(key) ?? 0) - bytes
  if (left > 0) sums.set(key, left)
  else sums.delete(key)
}

const full = (ceiling: number): Refusal => ({
  code: 'overloaded',
  params: { limit: `${ceiling} bytes of request bodies` },
  retryAfter: 1,
})

const tooMuch = (share: number, of: string): Refusal => ({
  code: 'rate_limited',
  params: { limit: `${share} bytes of request bodies at the same time for this ${of}`, seconds: 1 },
  retryAfter: 1,
})
