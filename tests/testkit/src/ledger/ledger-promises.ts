import type { HoldAnswer, MoveAnswer } from '@sluice/ledger/ledger'
import type { TestPayer } from './ledger-operations.ts'

/** What a ledger was asked about a request, and what it answered. Amounts are in quota. */
export interface PromisedRequest {
  readonly id: string
  readonly payer: TestPayer
  /** Something about it has not been answered yet. */
  isBusy: boolean
  /** It was refused, or its hold was given back. */
  isOver: boolean
  /** The answer said that it is held. */
  isAdmitted: boolean
  /** What it is known to hold. */
  held: number
  /** What it holds if everything that was asked is granted. */
  asked: number
  settled: Settled[]
  /** What it may be charged if there is no settlement. */
  progress: (number | undefined)[]
  refunded: number
  /** What a refund gives back whose result is not known yet. */
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
  /** When it was answered; undefined while it may or may not have been made. */
  answered: number | undefined
}

interface KnownBudget {
  readonly account: number
  readonly quota: number
  readonly asked: number
  answered: number | undefined
}

/** The least that a request is charged or still holds. */
function leastOf({ isAdmitted, isOver, held, settled, refunded, refunding }: PromisedRequest): number {
  const last = settled.at(-1)
  if (last === undefined) return isAdmitted && !isOver ? held : 0
  if (last.answer === 'charged') return last.amount - refunded - refunding
  return Math.min(held, ...settled.map(({ amount }) => amount)) - refunded - refunding
}

/** The most that a request is charged. */
function mostOf({ isBusy, isOver, held, asked, settled, refunded }: PromisedRequest): number {
  const last = settled.at(-1)
  if (last?.answer === 'charged') return last.amount - refunded
  if (isOver && !isBusy) return 0
  return Math.max(held, asked, ...settled.map(({ amount }) => amount))
}

/**
 * The least and the most that accounts can have left, given everything that a ledger was asked and has answered: it has promised
 * too much if even the most is below zero. Moments are counted, not measured.
 */
export class PromisedQuota {
  requests: PromisedRequest[] = []
  #moment = 0
  #movements: Movement[] = []
  #budgets: KnownBudget[] = []
  /** By account; what was posted at the beginning. */
  readonly #posted: ReadonlyMap<number, number>
  /** By account and day; what was spent before. */
  readonly #spent: ReadonlyMap<string, number>
  /** Accounts on which something was charged beyond its hold, so that the rows may refuse what was promised. */
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

  /** A movement in progress; call the returned function with its answer. */
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

  /** What is left if only what was answered before that moment has been taken, and everything that was asked has been given. */
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

  /** The most that the budget leaves on a day; undefined if its state is not known for certain. */
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

  /** The most that a budget can have to cover on a day, given what is there. */
  budgeted(account: number, day: number): number {
    let sum = this.#spent.get(`${account} ${day}`) ?? 0
    for (const request of this.#of(account)) sum += mostOf(request) + request.refunded
    return sum
  }

  #of(account: number): readonly PromisedRequest[] {
    return this.requests.filter(({ payer }) => payer.account === account || payer.limitAccount === account)
  }
}
