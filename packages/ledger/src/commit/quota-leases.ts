import { type HoldOperation, LEASE_PREFIX, type LeasedHold, type LeaseOperation } from '../operation.ts'
import { type Mq, mq } from '../units.ts'
import type { Answer } from './waiting.ts'

/** Accounts with a lease, or that may soon get one; others get none while there are this many. */
const MAX_LEASES = 10_000
/** A pair of accounts gets a lease when two holds come within this time: a lease costs a commit when it is opened and closed. */
const HOT_MS = 250
/** A lease from which nothing was held for this long is given back. */
const IDLE_MS = 500

type Pair = Pick<HoldOperation, 'account' | 'limitAccount'>

interface Lease extends Pair {
  readonly requestId: string
  /** mq that the rows hold for it, at least. */
  amount: bigint
  /** Σ holds within it. */
  used: bigint
  /** An operation that grows it is on its way. */
  growing: boolean
  /** mq taken out of it since that operation was submitted, which may come before or after it. */
  spent: bigint
  /** The rows may have something for it. */
  stored: boolean
  /** Steady milliseconds of the last hold that it could have covered. */
  wanted: number
}

interface LocalHold {
  readonly lease: Lease
  readonly amount: Mq
  readonly operation: HoldOperation
}

interface LeaseDeps {
  /** Name of this process among all replicas, new at every start, so that the ids of its leases are. */
  readonly replica: string
  /** To the commit queue. */
  readonly submit: (operation: LeaseOperation, isPatient: boolean) => Promise<Answer>
  /** Whether the account has plenty beside this amount. `at` is in unix milliseconds. */
  readonly isComfortable: (account: number, amount: Mq, at: number) => boolean
  readonly onFailure: (error: unknown) => void
  /** Monotonic milliseconds. */
  readonly steady: () => number
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * What one of several replicas may hold without asking the database: quota that the rows already hold for it, by pair of accounts.
 * A hold within it is exact, because no other replica can use that quota.
 *
 * two holds soon after each other → a lease of twice as much as they need, if the accounts have plenty
 * charge → taken out of the lease, in the same commit; the lease is topped up with it
 * idle, or an account with little left → given back
 */
export class QuotaLeases {
  readonly #deps: LeaseDeps
  readonly #leases = new Map<string, Lease>()
  readonly #holds = new Map<string, LocalHold>()
  #opened = 0

  constructor(deps: LeaseDeps) {
    this.#deps = deps
  }

  has(requestId: string): boolean {
    return this.#holds.has(requestId)
  }

  /** Holds within the lease; false when there is none, too little left of it, or it was not used lately. */
  take(operation: HoldOperation): boolean {
    const { requestId, amount } = operation
    const now = this.#deps.steady()
    const lease = this.#leases.get(keyOf(operation))
    // After a pause this replica may have been given up, and its leases with it.
    if (lease === undefined || now - lease.wanted >= IDLE_MS || lease.amount - lease.used < amount) return false
    lease.wanted = now
    lease.used += amount
    this.#holds.set(requestId, { lease, amount, operation })
    return true
  }

  /** Grows a hold within its lease to `amount` in total; false when it is not held here, or there is too little left. */
  extend(requestId: string, amount: Mq): boolean {
    const hold = this.#holds.get(requestId)
    if (hold === undefined) return false
    const more = amount - hold.amount
    if (more <= 0n) return true
    const { lease } = hold
    if (lease.amount - lease.used < more) return false
    lease.used += more
    this.#holds.set(requestId, { ...hold, amount })
    return true
  }

  leasedHold(requestId: string): LeasedHold | undefined {
    const hold = this.#holds.get(requestId)
    return hold === undefined ? undefined : { lease: hold.lease.requestId, amount: hold.amount }
  }

  /** Ends a hold, of which `spent` was charged. */
  end(requestId: string, spent: bigint): void {
    const hold = this.#holds.get(requestId)
    if (hold === undefined) return
    this.#holds.delete(requestId)
    hold.lease.used -= hold.amount
    spend(hold.lease, spent < hold.amount ? spent : hold.amount)
  }

  /** Hands a hold out, to be written as a row of its own, which takes it out of the lease. */
  handOut(requestId: string): HoldOperation | undefined {
    const hold = this.#holds.get(requestId)
    if (hold === undefined) return undefined
    const { lease, amount, operation } = hold
    this.end(requestId, amount)
    return { ...operation, amount, lease: { lease: lease.requestId, amount } }
  }

  /** Opens or grows the lease of these accounts if holds of `amount` follow each other quickly and the accounts have plenty. */
  grow(pair: Pair, amount: Mq): void {
    const lease = this.#dueFor(pair, amount)
    if (lease === undefined) return
    const { isComfortable, submit, onFailure, now } = this.#deps
    const at = now()
    const target = mq(2n * (lease.used + amount))
    if (!isComfortable(pair.account, target, at) || !isComfortable(pair.limitAccount, target, at)) return
    lease.growing = true
    lease.spent = 0n
    lease.stored = true
    const grown = (isGranted: boolean): void => {
      lease.growing = false
      if (isGranted) lease.amount = target - lease.spent
    }
    submit(operationOf(lease, target, at), false).then(
      ({ outcome }) => grown(outcome === 'done'),
      (error: unknown) => {
        grown(false)
        onFailure(error)
      },
    )
  }

  /** Gives back what is free in the leases on these accounts, before the rows decide. */
  giveBack(accounts: readonly number[]): void {
    for (const lease of this.#leases.values()) {
      if (accounts.includes(lease.account) || accounts.includes(lease.limitAccount)) this.#shrinkToUse(lease)
    }
  }

  /** Gives back what is free in leases that were not used lately, or in all of them, and forgets those that are empty. */
  giveBackIdle(all = false): void {
    const latest = this.#deps.steady() - IDLE_MS
    for (const [key, lease] of this.#leases) {
      if (!all && lease.wanted > latest) continue
      this.#shrinkToUse(lease)
      if (lease.used === 0n && !lease.growing) this.#leases.delete(key)
    }
  }

  /** The lease of these accounts, if it should be opened or grown. Notes that it is wanted. */
  #dueFor(pair: Pair, amount: Mq): Lease | undefined {
    const now = this.#deps.steady()
    const lease = this.#leases.get(keyOf(pair))
    if (lease === undefined) {
      if (this.#leases.size < MAX_LEASES) this.#leases.set(keyOf(pair), this.#begin(pair, now))
      return undefined
    }
    const isHot = now - lease.wanted <= HOT_MS
    lease.wanted = now
    return isHot && !lease.growing && lease.amount - lease.used < 2n * amount ? lease : undefined
  }

  /** The rows may hold more than was noted, when an answer came too late: `stored` says so. */
  #shrinkToUse(lease: Lease): void {
    if (lease.growing || !lease.stored) return
    const { submit, onFailure, now } = this.#deps
    lease.amount = lease.used
    lease.stored = lease.used > 0n
    submit(operationOf(lease, lease.amount, now()), true).catch(onFailure)
  }

  #begin({ account, limitAccount }: Pair, now: number): Lease {
    const requestId = `${LEASE_PREFIX}${this.#deps.replica}-${++this.#opened}`
    return { requestId, account, limitAccount, ...UNUSED, wanted: now }
  }
}

const UNUSED = { amount: 0n, used: 0n, growing: false, spent: 0n, stored: false }

function spend(lease: Lease, amount: bigint): void {
  lease.amount -= amount
  lease.spent += amount
}

function operationOf({ requestId, account, limitAccount }: Lease, amount: bigint, at: number): LeaseOperation {
  return { op: 'lease', requestId, account, limitAccount, amount: mq(amount), at }
}

function keyOf({ account, limitAccount }: Pair): string {
  return `${account} ${limitAccount}`
}
