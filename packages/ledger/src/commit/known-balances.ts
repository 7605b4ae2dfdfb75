import type { KnownBalance } from '../ledger.ts'
import type { Balance } from '../operation.ts'
import { type Mq, mq } from '../units.ts'

/** Accounts cached; the least recently touched is forgotten first, unless an operation on it is in flight. */
export const MAX_KNOWN = 50_000
/** An account is comfortable if it has this many times the requested amount … */
const COMFORT_FACTOR = 10n
/** … and was seen this recently. */
const COMFORT_AGE_MS = 5_000
/** Shortest time between an account's moves to the recent end of the cache: a move at every use would cost more than caching. */
const RENEW_MS = 1_000

interface Known {
  readonly account: number
  available: Mq
  unlimited: boolean
  budgetLeft: Mq | undefined
  budgetsSince: number | undefined
  /** Steady milliseconds; undefined before the first commit. */
  seen: number | undefined
  /** Steady milliseconds when it was last moved to the recent end. */
  renewed: number
  /** mq of holds that these numbers do not include yet: on their way to the database, or known only to this process. */
  booked: bigint
}

/** Balances that this process saw after its own commits, and what it has promised since. */
export class KnownBalances {
  readonly #accounts = new Map<number, Known>()

  get(account: number): KnownBalance | undefined {
    const known = this.#accounts.get(account)
    return known?.seen === undefined ? undefined : (known as Known & { seen: number })
  }

  /** `seen` is in steady milliseconds, like `now` below: a clock that is set back must not keep old balances fresh. */
  remember(balances: readonly Balance[], seen: number): void {
    for (const { account, available, unlimited, budgetLeft, budgetsSince } of balances) {
      const known = this.#accounts.get(account) ?? this.#begin(account, seen)
      known.available = available
      known.unlimited = unlimited
      known.budgetLeft = budgetLeft
      known.budgetsSince = budgetsSince
      known.seen = seen
      if (seen - known.renewed >= RENEW_MS) this.#renew(known, seen)
    }
    this.#forget()
  }

  /** Counts `amount` as promised; a negative amount takes that back. */
  book(account: number, amount: bigint, now: number): void {
    const known = this.#accounts.get(account) ?? this.#begin(account, now)
    known.booked += amount
  }

  /**
   * Whether the account, within its budgets, has ten times `amount` left after everything promised, as seen within the last 5 s:
   * then nothing that this process knows of can refuse the hold. `at` is the time of the hold in unix milliseconds; after a clock
   * is set back, its windows may precede those that were seen.
   */
  isComfortable(account: number, amount: bigint, now: number, at: number): boolean {
    const known = this.#accounts.get(account)
    if (known?.seen === undefined || now - known.seen > COMFORT_AGE_MS) return false
    if (known.budgetsSince !== undefined && at < known.budgetsSince) return false
    const needed = known.booked + amount * COMFORT_FACTOR
    if (known.budgetLeft !== undefined && known.budgetLeft < needed) return false
    return known.unlimited || known.available >= needed
  }

  #begin(account: number, now: number): Known {
    const known: Known = {
      account,
      available: mq(0n),
      unlimited: false,
      budgetLeft: undefined,
      budgetsSince: undefined,
      seen: undefined,
      renewed: now,
      booked: 0n,
    }
    this.#accounts.set(account, known)
    return known
  }

  #renew(known: Known, now: number): void {
    known.renewed = now
    this.#accounts.delete(known.account)
    this.#accounts.set(known.account, known)
  }

  #forget(): void {
    let left = this.#accounts.size - MAX_KNOWN
    if (left <= 0) return
    for (const oldest of this.#accounts.values()) {
      if (left-- <= 0) break
      // Its booked amount still has to be deducted.
      if (oldest.booked === 0n) this.#accounts.delete(oldest.account)
      else this.#renew(oldest, oldest.renewed)
    }
  }
}
