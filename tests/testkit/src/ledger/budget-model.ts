import { BUDGET_PERIODS, type BudgetPeriod, windowStart } from '@sluice/ledger/budget-window'

/**
 * A reference model of budgets: stores every charge with its time, and recomputes what a window has spent for every question. Uses
 * none of the ledger's own rules, except for where windows start. Amounts are whole quota; times are unix milliseconds.
 */
export class BudgetModel {
  readonly #holds = new Map<string, { readonly owners: readonly string[]; readonly quota: number }>()
  readonly #charges = new Map<string, Charge>()
  readonly #budgets = new Map<string, Limits>()
  /** The excess of spent and held quota over a budget when it was set, and that time. */
  readonly #allowances = new Map<string, { readonly quota: number; readonly since: number }>()

  setBudgets(owner: string, limits: Limits, at: number): void {
    this.#budgets.set(owner, limits)
    for (const period of BUDGET_PERIODS) {
      const limit = limits[period]
      if (limit === undefined) continue
      const over = this.spent(owner, period, at) + this.#held(owner) - limit
      this.#allowances.set(`${owner} ${period}`, { quota: Math.max(0, over), since: windowStart(period, at) })
    }
  }

  /** Whether the budgets of all owners allow `quota` more, in addition to all their holds. */
  allows(owners: readonly string[], quota: number, at: number): boolean {
    return owners.every((owner) =>
      BUDGET_PERIODS.every((period) => {
        const limit = this.#budgets.get(owner)?.[period]
        if (limit === undefined) return true
        return this.spent(owner, period, at) + this.#held(owner) + quota <= limit
      }),
    )
  }

  hold(request: string, owners: readonly string[], quota: number): void {
    this.#holds.set(request, { owners, quota })
  }

  held(request: string): number | undefined {
    return this.#holds.get(request)?.quota
  }

  release(request: string): void {
    this.#holds.delete(request)
  }

  isCharged(request: string): boolean {
    return this.#charges.has(request)
  }

  /** Charges the first time, corrects the second time, and then does nothing. */
  settle(request: string, owners: readonly string[], quota: number, at: number): void {
    const before = this.#charges.get(request)
    const held = this.#holds.get(request)?.quota ?? 0
    this.#holds.delete(request)
    if (before === undefined) {
      this.#charges.set(request, { owners, quota, at, beyond: Math.max(0, quota - held), corrected: false })
    } else if (!before.corrected && quota !== before.quota) {
      const beyond = before.beyond + Math.max(0, quota - before.quota)
      this.#charges.set(request, { ...before, quota, beyond, corrected: true })
    }
  }

  /** Net charges of the window that contains `at`, plus later ones from clocks that are ahead. */
  spent(owner: string, period: BudgetPeriod, at: number): number {
    const start = windowStart(period, at)
    return this.#ofOwner(owner).reduce((sum, charge) => (charge.at >= start ? sum + charge.quota : sum), 0)
  }

  /** Net charges of only the window that contains `at`. */
  spentWithin(owner: string, period: BudgetPeriod, at: number): number {
    return this.#inWindow(owner, period, at).reduce((sum, { quota }) => sum + quota, 0)
  }

  /** The budget, its excess when it was set, and what charges exceeded their holds by. Infinite if `at` is before it was set. */
  bound(owner: string, period: BudgetPeriod, at: number): number {
    const limit = this.#budgets.get(owner)?.[period]
    const allowance = this.#allowances.get(`${owner} ${period}`)
    if (limit === undefined || allowance === undefined || at < allowance.since) return Number.POSITIVE_INFINITY
    const beyond = this.#inWindow(owner, period, at).reduce((sum, charge) => sum + charge.beyond, 0)
    return limit + allowance.quota + beyond
  }

  #inWindow(owner: string, period: BudgetPeriod, at: number): Charge[] {
    const start = windowStart(period, at)
    return this.#ofOwner(owner).filter((charge) => windowStart(period, charge.at) === start)
  }

  #ofOwner(owner: string): Charge[] {
    return [...this.#charges.values()].filter(({ owners }) => owners.includes(owner))
  }

  #held(owner: string): number {
    const own = [...this.#holds.values()].filter(({ owners }) => owners.includes(owner))
    return own.reduce((sum, { quota }) => sum + quota, 0)
  }
}

export type Limits = { readonly [Period in BudgetPeriod]?: number | undefined }

interface Charge {
  readonly owners: readonly string[]
  readonly quota: number
  readonly at: number
  readonly beyond: number
  readonly corrected: boolean
}
