import type { HoldAnswer, MoveAnswer } from '@sluice/ledger/ledger'
import type { TestPayer } from './ledger-operations.ts'

/** What a ledger was asked about a request, and what it said. Amounts in quota. */
export interface PromisedRequest {
  readonly id: string
  readonly payer: TestPayer
  /** Something about it is not answered. */
  isBusy: boolean
  /** It was refused, or given back. */
  isOver: boolean
  /** That it was held was answered. */
  isAdmitted: boolean
  /** What it is known to hold. */
  held: number
  /** What it holds if all that is asked is granted. */
  asked: number
  settled: Settled[]
  /** What it may be charged as if there were no settlement. */
  progress: (number | undefined)[]
  refunded: number
  /** What a refund gives back that is not known to be made. */
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
  /** When it was answered; undefined when it may be made, or not. */
  answered: number | undefined
}

interface KnownBudget {
  readonly account: number
  readonly quota: number
  readonly asked: number
  answered: number | undefined
}

/** What a request is charged at least, or still holds. */
function leastOf({ isAdmitted, isOver, held, settled, refunded, refunding }: PromisedRequest): number {
  const last = settled.at(-1)
  if (last === undefined) return isAdmitted && !isOver ? held : 0
  if (last.answer === 'charged') return last.amount - refunded - refunding
  return Math.min(held, ...settled.map(({ amount }) => amount)) - refunded - refunding
}

/** What a request is charged at most. */
function mostOf({ isBusy, isOver, held, asked, settled, refunded }: PromisedRequest): number {
  const last = settled.at(-1)
  if (last?.answer === 'charged') return last.amount - refunded
  if (isOver && !isBusy) return 0
  return Math.max(held, asked, ...settled.map(({ amount }) => amount))
}

/**
 * The least and the most that accounts can have left, after everything that a ledger was asked and has said: it promises too much
 * when less than nothing is left at most. Moments are counted, not measured.
 */
export class PromisedQuota {
  requests: PromisedRequest[] = []
  #moment = 0
  #movements: Movement[] = []
  #budgets: KnownBudget[] = []
  /** By account; what is posted in the beginning. */
  readonly #posted: ReadonlyMap<number, number>
  /** By account and day; what was spent before. */
  readonly #spent: ReadonlyMap<string, number>
  /** Something is charged there beyond its hold, so that the rows may refuse what was promised. */
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

  /** A movement under way; call what it returns with its answer. */
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

  /** What is left when only what was answered before that moment has taken away, and all that was asked gives. */
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

  /** What the budget leaves at most on a day; undefined when it is not known to be as it is. */
  budgetLeft(account: number, day: number, since = this.#moment): number | undefined {
    const budgets = this.#budgets.filter((each) => each.account === account)
    const last = budgets.at(-1)
    if (last?.answered === undefined || last.answered > since) return undefined
    if (budgets.some(({ answered }) => answered === undefined)) return undefined
    let left = last.quota - (this.#spent.get(`${account} ${day}`) ?? 0)
    for (const request of this.#of(account)) {
      const { settled, refunded, refunding } = request
      const isThen = settled.every((each) => each.day === day)
      // A refund is not counted in budgets.
      if (isThen) left -= leastOf(request) + refunded + refunding
    }
    return left
  }

  /** The most that a budget can have to cover on a day, of what is there. */
  budgeted(account: number, day: number): number {
    let sum = this.#spent.get(`${account} ${day}`) ?? 0
    for (const request of this.#of(account)) sum += mostOf(request) + request.refunded
    return sum
  }

  #of(account: number): readonly PromisedRequest[] {
    return this.requests.filter(({ payer }) => payer.account === account || payer.limitAccount === account)
  }
}
