import {
  MODEL_CODES,
  MODEL_USED_CODE,
  MODEL_USER_OF,
  type ModelBudget,
  type ModelOperation,
  payerOfRequest,
  QUOTA_PER_TOKEN,
} from './ledger-model-step.ts'

interface ModelRequest {
  readonly request: number
  phase: 'none' | 'open' | 'charged'
  held: number
  progress: { readonly tokens: number; readonly at: number } | undefined
  replica: string
  at: number
  charged: number
  chargedAt: number
  corrected: boolean
  refunded: number
}

interface ModelRefund {
  readonly request: number
  readonly at: number
}

export interface ModelBalance {
  readonly posted: number
  readonly held: number
  readonly spent: number
  readonly requests: number
}

/**
 * A simple reference model of the ledger: requests with a phase, and balances and budgets that are always recomputed from the whole
 * history. Slow, in memory, and independent of the ledger's code. Times are unix milliseconds and never decrease.
 */
export class LedgerModel {
  readonly #requests = new Map<number, ModelRequest>()
  readonly #moves: { readonly key: string; readonly account: string; readonly at: number; readonly quota: number }[] =
    []
  readonly #refunds = new Map<number, ModelRefund>()
  readonly #unlimited = new Set<number>()
  readonly #budgets = new Map<string, readonly ModelBudget[]>()
  readonly #dead = new Set<string>()
  #again = false

  /** Names of the operations' outcomes. `at` identifies the batch; a replay has the same number. */
  batch(operations: readonly ModelOperation[], replica: string, at: number, again: boolean): string[] {
    this.#again = again
    const claimed = new Set<string>()
    return operations.map((operation, i) => this.#apply(operation, replica, at + i, claimed))
  }

  recover(dead: string): void {
    this.#dead.add(dead)
    for (const request of this.#requests.values()) {
      if (request.phase !== 'open' || !this.#dead.has(request.replica)) continue
      if (request.progress === undefined) this.#close(request, 'none')
      else this.#charge(request, request.progress.tokens, request.progress.at)
    }
  }

  import(user: number, quota: number, at: number): void {
    this.#moves.push({ key: `import ${at}`, account: `user ${user}`, at, quota })
  }

  user(user: number): ModelBalance {
    return this.#count(`user ${user}`, paidBy('user', user))
  }

  token(payer: number): ModelBalance {
    return this.#count(`token ${payer}`, paidBy('token', payer))
  }

  #apply(operation: ModelOperation, replica: string, at: number, claimed: Set<string>): string {
    switch (operation.op) {
      case 'unlimited':
        if (operation.unlimited) this.#unlimited.add(operation.payer)
        else this.#unlimited.delete(operation.payer)
        return 'account'
      case 'budgets':
        this.#budgets.set(accountName(operation.of, operation.payer), operation.budgets)
        return 'done'
      case 'move':
        return this.#move(operation, at, claimed)
      case 'redeem':
        return this.#redeem(operation, at, claimed)
      case 'hold':
        return this.#hold(this.#request(operation.request), operation.quota, replica, at, claimed)
      case 'refund':
        return this.#refund(this.#request(operation.request), operation, at, claimed)
      case 'settle':
        return this.#settle(this.#request(operation.request), operation.tokens, at)
      default:
        return this.#whileOpen(this.#request(operation.request), operation, at)
    }
  }

  #hold(request: ModelRequest, quota: number, replica: string, at: number, claimed: Set<string>): string {
    const key = `hold ${request.request}`
    if (request.phase === 'charged') return 'stale'
    if (request.phase === 'open') {
      const own = this.#again && request.at === at && request.replica === replica && !claimed.has(key)
      if (own) claimed.add(key)
      return own ? 'done' : 'stale'
    }
    const refusal = this.#refusal(request, quota, at)
    if (refusal !== undefined) return refusal
    claimed.add(key)
    Object.assign(request, { phase: 'open', held: quota, progress: undefined, replica, at })
    return 'done'
  }

  #whileOpen(
    request: ModelRequest,
    operation: ModelOperation & { op: 'extend' | 'renew' | 'void' },
    at: number,
  ): string {
    if (request.phase !== 'open') return 'stale'
    if (operation.op === 'renew') request.progress = { tokens: operation.tokens, at }
    if (operation.op === 'void') this.#close(request, 'none')
    if (operation.op !== 'extend') return 'done'
    const more = operation.quota - request.held
    const refusal = more > 0 ? this.#refusal(request, more, at) : undefined
    if (refusal === undefined) request.held = Math.max(request.held, operation.quota)
    return refusal ?? 'done'
  }

  #settle(request: ModelRequest, tokens: number, at: number): string {
    if (request.phase !== 'charged') this.#charge(request, tokens, at)
    else if (!request.corrected && request.refunded === 0 && request.charged !== tokens * QUOTA_PER_TOKEN) {
      request.charged = tokens * QUOTA_PER_TOKEN
      request.corrected = true
    }
    return 'done'
  }

  #refund(
    request: ModelRequest,
    { id, quota }: ModelOperation & { op: 'refund' },
    at: number,
    claimed: Set<string>,
  ): string {
    if (quota !== undefined && quota <= 0) return 'invalid'
    const key = `refund ${id}`
    const before = this.#refunds.get(id)
    if (before !== undefined) {
      const own = this.#again && before.request === request.request && before.at === at && !claimed.has(key)
      if (own) claimed.add(key)
      return own ? 'refunded' : 'stale'
    }
    if (request.phase !== 'charged') return 'stale'
    const left = request.charged - request.refunded
    const amount = quota ?? left
    if (left === 0 || amount > left) return 'exceeds'
    claimed.add(key)
    this.#refunds.set(id, { request: request.request, at })
    request.refunded += amount
    return 'refunded'
  }

  #move(operation: ModelOperation & { op: 'move' }, at: number, claimed: Set<string>): string {
    const { id, payer, what, quota } = operation
    const isLimit = what.startsWith('limit')
    const account = accountName(isLimit ? 'token' : 'user', payer)
    const key = `${isLimit ? 'limit-set' : what === 'gift' ? 'gift' : 'admin-adjust'} ${id}`
    const before = this.#moves.find((move) => move.key === key)
    if (before !== undefined) {
      const own = this.#again && before.account === account && before.at === at && !claimed.has(key)
      if (own) claimed.add(key)
      return own ? 'done' : 'stale'
    }
    const posted = isLimit ? this.token(payer).posted : this.user(MODEL_USER_OF[payer] ?? 0).posted
    const step = what.endsWith('-set') ? quota - posted : quota
    if (what === 'gift' && step < 0) return 'invalid'
    if (step === 0) return 'stale'
    claimed.add(key)
    this.#moves.push({ key, account, at, quota: step })
    return 'done'
  }

  #redeem({ code, payer }: ModelOperation & { op: 'redeem' }, at: number, claimed: Set<string>): string {
    if (code === MODEL_USED_CODE) return 'stale'
    const account = accountName('user', payer)
    const key = `redeem ${code}`
    const before = this.#moves.find((move) => move.key === key)
    if (before === undefined) this.#moves.push({ key, account, at, quota: MODEL_CODES[code] ?? 0 })
    const own = this.#again && before?.account === account && before.at === at && !claimed.has(key)
    if (before === undefined || own) claimed.add(key)
    return before === undefined || own ? 'redeemed' : 'stale'
  }

  #refusal(request: ModelRequest, quota: number, at: number): string | undefined {
    const payer = payerOfRequest(request.request)
    const user = this.user(MODEL_USER_OF[payer] ?? 0)
    const token = this.token(payer)
    if (user.posted - user.held < quota) return 'user_quota'
    if (!this.#unlimited.has(payer) && token.posted - token.held < quota) return 'token_quota'
    if (this.#isOverBudget('user', payer, user.held + quota, at)) return 'user_budget'
    if (this.#isOverBudget('token', payer, token.held + quota, at)) return 'token_budget'
    return undefined
  }

  /** `held` is the resulting total hold. Administrators' refunds still count as spent. */
  #isOverBudget(of: 'user' | 'token', payer: number, held: number, at: number): boolean {
    const mine = [...this.#requests.values()].filter(paidBy(of, of === 'user' ? (MODEL_USER_OF[payer] ?? 0) : payer))
    return (this.#budgets.get(accountName(of, payer)) ?? []).some(({ period, quota }) => {
      const spent = mine.filter((each) => each.phase === 'charged' && isSame(period, each.chargedAt, at))
      return sum(spent.map(({ charged }) => charged)) + held > quota
    })
  }

  #charge(request: ModelRequest, tokens: number, at: number): void {
    this.#close(request, 'charged')
    request.charged = tokens * QUOTA_PER_TOKEN
    request.chargedAt = at
  }

  #close(request: ModelRequest, phase: 'none' | 'charged'): void {
    Object.assign(request, { phase, held: 0, progress: undefined })
  }

  #count(account: string, pays: (request: ModelRequest) => boolean): ModelBalance {
    const mine = [...this.#requests.values()].filter(pays)
    const charged = mine.filter(({ phase }) => phase === 'charged')
    const spent = sum(charged.map((request) => request.charged - request.refunded))
    const moved = sum(this.#moves.filter((move) => move.account === account).map(({ quota }) => quota))
    return { posted: moved - spent, held: sum(mine.map(({ held }) => held)), spent, requests: charged.length }
  }

  #request(request: number): ModelRequest {
    const known = this.#requests.get(request)
    if (known !== undefined) return known
    const fresh: ModelRequest = {
      request,
      phase: 'none',
      held: 0,
      progress: undefined,
      replica: '',
      at: 0,
      charged: 0,
      chargedAt: 0,
      corrected: false,
      refunded: 0,
    }
    this.#requests.set(request, fresh)
    return fresh
  }
}

function accountName(of: 'user' | 'token', payer: number): string {
  return of === 'token' ? `token ${payer}` : `user ${MODEL_USER_OF[payer] ?? 0}`
}

function paidBy(of: 'user' | 'token', owner: number): (request: ModelRequest) => boolean {
  return ({ request }) => {
    const payer = payerOfRequest(request)
    return (of === 'token' ? payer : MODEL_USER_OF[payer]) === owner
  }
}

const DAY_MS = 86_400_000

/** Whether two times are in the same day, week or month, in UTC. 1970-01-01 was a Thursday, three days after a Monday. */
function isSame(period: ModelBudget['period'], one: number, other: number): boolean {
  const name = (ms: number): string | number => {
    if (period === 'month') return new Date(ms).toISOString().slice(0, 7)
    const day = Math.floor(ms / DAY_MS)
    return period === 'day' ? day : Math.floor((day + 3) / 7)
  }
  return name(one) === name(other)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
