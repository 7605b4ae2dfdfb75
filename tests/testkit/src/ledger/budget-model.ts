import { BUDGET_PERIODS, type BudgetPeriod, windowStart } from '@sluice/ledger/budget-window'

/**
 * What budgets promise, as simply as possible: every charge is stored with its time, and a window's sum is added up again for every
 * query. It shares no rules with the ledger, except where windows start. Amounts are whole quota; times are unix milliseconds.
 */
export class BudgetModel {
  readonly #holds = new Map<string, { readonly owners: readonly string[]; readonly quota: number }>()
  readonly #charges = new Map<string, Charge>()
  readonly #budgets = new Map<string, Limits>()
  /** What was spent and held beyond a budget when it was set, and the time of that. */
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

  /** True when the budgets of all owners allow `quota` more, on top of everything that they hold. */
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

  /** Charges the first time, corrects the second time, and does nothing after that. */
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

  /** Net charges of the window that contains a moment, plus later ones that were charged by clocks running ahead. */
  spent(owner: string, period: BudgetPeriod, at: number): number {
    const start = windowStart(period, at)
    return this.#ofOwner(owner).reduce((sum, charge) => (charge.at >= start ? sum + charge.quota : sum), 0)
  }

  /** Net charges of only the window that contains a moment. */
  spentWithin(owner: string, period: BudgetPeriod, at: number): number {
    return this.#inWindow(owner, period, at).reduce((sum, { quota }) => sum + quota, 0)
  }

  /**
   * The documented bound of a window: the budget, what was beyond it when it was set, and what charges took beyond their holds. A
   * window that had ended when the budget was set has no bound.
   */
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
  /** What the charge took beyond its hold. */
  readonly beyond: number
  readonly corrected: boolean
}
