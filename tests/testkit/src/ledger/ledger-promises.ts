import type { HoldAnswer, MoveAnswer } from '@sluice/ledger/ledger'
import type { TestPayer } from './ledger-operations.ts'

/** What a ledger was asked about a request, and what it answered. Amounts in quota. */
export interface PromisedRequest {
  readonly id: string
  readonly payer: TestPayer
  /** An operation on it is unanswered. */
  isBusy: boolean
  /** Refused, or given back. */
  isOver: boolean
  /** Its hold was confirmed. */
  isAdmitted: boolean
  held: number
  /** Hold if everything requested is granted. */
  asked: number
  settled: Settled[]
  /** Possible charges if it is never settled. */
  progress: (number | undefined)[]
  refunded: number
  /** Amount of unconfirmed refunds. */
  refunding: number
}

export interface Settled {
  readonly amount: number
  /** Unix day. */
  readonly day: number
  answer: string | undefined
}

interface Movement {
  readonly account: number
  readonly quota: number
  /** Moment of the answer; undefined while unanswered. */
  answered: number | undefined
}

interface KnownBudget {
  readonly account: number
  readonly quota: number
  readonly asked: number
  answered: number | undefined
}

function leastOf({ isAdmitted, isOver, held, settled, refunded, refunding }: PromisedRequest): number {
  const last = settled.at(-1)
  if (last === undefined) return isAdmitted && !isOver ? held : 0
  if (last.answer === 'charged') return last.amount - refunded - refunding
  return Math.min(held, ...settled.map(({ amount }) => amount)) - refunded - refunding
}

function mostOf({ isBusy, isOver, held, asked, settled, refunded }: PromisedRequest): number {
  const last = settled.at(-1)
  if (last?.answer === 'charged') return last.amount - refunded
  if (isOver && !isBusy) return 0
  return Math.max(held, asked, ...settled.map(({ amount }) => amount))
}

/**
 * Bounds on what accounts have left, from everything that a ledger was asked and answered. If the upper bound is negative, the
 * ledger promised too much. Moments are counted, not measured.
 */
export class PromisedQuota {
  requests: PromisedRequest[] = []
  #moment = 0
  #movements: Movement[] = []
  #budgets: KnownBudget[] = []
  readonly #posted: ReadonlyMap<number, number>
  readonly #spent: ReadonlyMap<string, number>
  /** Accounts charged beyond a hold, where the rows may refuse what was promised. */
  readonly #overdrawn = new Set<number>()

  constructor(posted: ReadonlyMap<number, number>, spent: ReadonlyMap<string, number>) {
    this.#posted = posted
    this.#spent = spent
  }

  now(): number {
    return (this.#moment += 1)
  }

  overdraw({ account, limitAccount }: TestPayer): void {
    this.#overdrawn.add(account).add(limitAccount)
  }

  isOverdrawn(account: number): boolean {
    return this.#overdrawn.has(account)
  }

  /** A movement in progress; call the result with its answer. */
  move(account: number, quota: number): (answer: MoveAnswer | HoldAnswer) => void {
    const movement: Movement = { account, quota, answered: undefined }
    this.#movements.push(movement)
    return (answer) => {
      if (answer === 'moved') movement.answered = this.now()
      else if (answer !== 'unavailable') this.#movements = this.#movements.filter((each) => each !== movement)
    }
  }

  budget(account: number, quota: number): (answer: 'set' | 'unavailable') => void {
    const budget: KnownBudget = { account, quota, asked: this.now(), answered: undefined }
    this.#budgets.push(budget)
    return (answer) => {
      if (answer === 'set') budget.answered = this.now()
    }
  }

  /** The upper bound: counts only debits answered before that moment, and all requested credits. */
  leftAtMost(account: number, since = this.#moment): number {
    let left = this.#posted.get(account) ?? 0
    for (const { account: moved, quota, answered = Infinity } of this.#movements) {
      if (moved === account && (quota > 0 || answered <= since)) left += quota
    }
    for (const request of this.#of(account)) left -= leastOf(request)
    return left
  }

  leftAtLeast(account: number): number {
    let left = this.#posted.get(account) ?? 0
    for (const { account: moved, quota, answered } of this.#movements) {
      if (moved === account && (quota < 0 || answered !== undefined)) left += quota
    }
    for (const request of this.#of(account)) left -= mostOf(request)
    return left
  }

  /** The budget's upper bound for a day; undefined while the budget itself is uncertain. */
  budgetLeft(account: number, day: number, since = this.#moment): number | undefined {
    const budgets = this.#budgets.filter((each) => each.account === account)
    const last = budgets.at(-1)
    if (last?.answered === undefined || last.answered > since) return undefined
    if (budgets.some(({ answered }) => answered === undefined)) return undefined
    let left = last.quota - (this.#spent.get(`${account} ${day}`) ?? 0)
    for (const request of this.#of(account)) {
      const { settled, refunded, refunding } = request
      const isThen = settled.every((each) => each.day === day)
      // Budgets do not count refunds.
      if (isThen) left -= leastOf(request) + refunded + refunding
    }
    return left
  }

  /** The most of a day's activity that a budget can have to cover. */
  budgeted(account: number, day: number): number {
    let sum = this.#spent.get(`${account} ${day}`) ?? 0
    for (const request of this.#of(account)) sum += mostOf(request) + request.refunded
    return sum
  }

  #of(account: number): readonly PromisedRequest[] {
    return this.requests.filter(({ payer }) => payer.account === account || payer.limitAccount === account)
  }
}
