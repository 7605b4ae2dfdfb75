import type { KnownBalance } from './ledger.ts'
import type { Balance } from './operation.ts'

/** Accounts remembered; the one untouched for longest is forgotten first. */
export const MAX_KNOWN = 50_000

/** Balances that this process saw after its own commits. */
export class KnownBalances {
  readonly #balances = new Map<number, KnownBalance>()

  get(account: number): KnownBalance | undefined {
    return this.#balances.get(account)
  }

  /** `seen` is unix milliseconds. */
  remember(balances: readonly Balance[], seen: number): void {
    for (const { account, available, unlimited, budgetLeft } of balances) {
      this.#balances.delete(account)
      this.#balances.set(account, { account, available, unlimited, budgetLeft, seen })
    }
    for (const oldest of this.#balances.keys()) {
      if (this.#balances.size <= MAX_KNOWN) break
      this.#balances.delete(oldest)
    }
  }
}
