import type { AccountKind, Balance, MoveKind, TraceRow } from '../operation.ts'
import type { Price } from '../pricing.ts'
import { mq } from '../units.ts'
import { budgetLeft, budgetsSince } from './budgets.ts'
import type {
  Account,
  Charged,
  Hold,
  LedgerEvent,
  LogCorrection,
  LogRow,
  Moved,
  Redemption,
  Refund,
  TransferRow,
  UsageRow,
} from './rows.ts'

/** The rows that the rules may look up, as they were before the batch. They must not change until the batch has committed. */
export interface RowSource {
  account(id: number): Account | undefined
  /** Opens the account if there is none. */
  accountOf(kind: AccountKind, owner: number): Account
  hold(requestId: string): Hold | undefined
  charged(requestId: string): Charged | undefined
  moved(requestId: string, kind: MoveKind): Moved | undefined
  refund(refundId: string): Refund | undefined
  redemption(id: number): Redemption | undefined
  /** Σ daily sums of an account since a day (days since 1970-01-01). A token account belongs to that user. */
  spentSince(account: Account, userId: number, day: number): bigint
  /** Id of the stored price with the same content. */
  priceId(price: Price): number
  /** The account that receives all charges. */
  readonly revenue: Account
  /** The source of all money except what comes from `equity`. */
  readonly issuance: Account
  /** The source of balances from another gateway. */
  readonly equity: Account
}

interface HoldSlot {
  readonly before: Hold | undefined
  now: Hold | undefined
  opened: boolean
  /** An operation of this batch opened the hold, or found that it had done so before. */
  claimed: boolean
}

export interface AccountSlot {
  readonly account: Account
  readonly before: Readonly<Account>
}

/** The hold changes of a batch, to be written `closed` first: a request may be in `closed` and in `opened`. */
export interface HoldChanges {
  readonly opened: readonly Hold[]
  readonly changed: readonly Hold[]
  readonly closed: readonly string[]
}

/**
 * The rows of one batch: looked up once, changed in memory, written at the end. Operations see the effects of those before them.
 */
export class WorkingSet {
  readonly #source: RowSource
  readonly #accounts = new Map<number, AccountSlot>()
  readonly #holds = new Map<string, HoldSlot>()
  readonly #charged = new Map<string, Charged>()
  readonly #moved = new Map<string, Moved>()
  readonly #refunds = new Map<string, Refund>()
  readonly #claimedMoves = new Set<string>()
  readonly #doubted = new Set<Account>()
  /** Codes that this batch has used, by id. */
  readonly redeemed = new Map<number, Redemption>()
  readonly transfers: TransferRow[] = []
  readonly logs: LogRow[] = []
  readonly corrections: LogCorrection[] = []
  /** By request id; a later trace replaces an earlier one. */
  readonly traces = new Map<string, TraceRow>()
  readonly usage = new Map<string, UsageRow>()
  readonly events: LedgerEvent[] = []

  constructor(source: RowSource) {
    this.#source = source
  }

  get revenue(): Account {
    return this.#touch(this.#source.revenue)
  }

  get issuance(): Account {
    return this.#touch(this.#source.issuance)
  }

  get equity(): Account {
    return this.#touch(this.#source.equity)
  }

  account(id: number): Account | undefined {
    const known = this.#accounts.get(id)
    if (known !== undefined) return known.account
    const account = this.#source.account(id)
    return account === undefined ? undefined : this.#touch(account)
  }

  accountOf(kind: AccountKind, owner: number): Account {
    return this.#touch(this.#source.accountOf(kind, owner))
  }

  hold(requestId: string): Hold | undefined {
    return this.#slot(requestId).now
  }

  openHold(hold: Hold): void {
    const slot = this.#slot(hold.requestId)
    slot.now = hold
    slot.opened = true
    slot.claimed = true
  }

  changeHold(hold: Hold): void {
    this.#slot(hold.requestId).now = hold
  }

  closeHold(requestId: string): void {
    this.#slot(requestId).now = undefined
  }

  /** True once per batch and request: only one operation may claim an open hold as its own. */
  claimHold(requestId: string): boolean {
    const slot = this.#slot(requestId)
    const first = !slot.claimed
    slot.claimed = true
    return first
  }

  charged(requestId: string): Charged | undefined {
    return this.#charged.get(requestId) ?? this.#source.charged(requestId)
  }

  setCharged(requestId: string, charged: Charged): void {
    this.#charged.set(requestId, charged)
  }

  moved(requestId: string, kind: MoveKind): Moved | undefined {
    return this.#moved.get(`${kind} ${requestId}`) ?? this.#source.moved(requestId, kind)
  }

  setMoved(requestId: string, kind: MoveKind, moved: Moved): void {
    this.#moved.set(`${kind} ${requestId}`, moved)
    this.#claimedMoves.add(`${kind} ${requestId}`)
  }

  refund(refundId: string): Refund | undefined {
    return this.#refunds.get(refundId) ?? this.#source.refund(refundId)
  }

  setRefund(refundId: string, refund: Refund): void {
    this.#refunds.set(refundId, refund)
    this.#claimedMoves.add(`admin-refund ${refundId}`)
  }

  /** Like `claimHold`, for a movement. */
  claimMove(requestId: string, kind: MoveKind | 'redeem' | 'admin-refund'): boolean {
    const key = `${kind} ${requestId}`
    const first = !this.#claimedMoves.has(key)
    this.#claimedMoves.add(key)
    return first
  }

  redemption(id: number): Redemption | undefined {
    return this.redeemed.get(id) ?? this.#source.redemption(id)
  }

  priceId(price: Price): number {
    return this.#source.priceId(price)
  }

  /** An account's spending since a day, including this batch's charges. */
  spentSince(account: Account, userId: number, day: number): bigint {
    let spent = this.#source.spentSince(account, userId, day)
    for (const row of this.usage.values()) {
      const isOwn = row.userId === userId && (account.kind === 'user' || row.tokenId === account.owner)
      if (isOwn && row.day >= day) spent += row.amount
    }
    return spent
  }

  /** Notes a charge made before this account's windows, whose remainder is then unreliable. */
  doubtBudgets(account: Account): void {
    this.#doubted.add(account)
  }

  addUsage(row: UsageRow): void {
    const key = `${row.day} ${row.userId} ${row.tokenId} ${row.channelId} ${row.model}`
    const sum = this.usage.get(key)
    if (sum === undefined) {
      this.usage.set(key, row)
      return
    }
    sum.requests += row.requests
    sum.promptTokens += row.promptTokens
    sum.completionTokens += row.completionTokens
    sum.amount += row.amount
  }

  holdChanges(): HoldChanges {
    const opened: Hold[] = []
    const changed: Hold[] = []
    const closed: string[] = []
    for (const [requestId, slot] of this.#holds) {
      const { before, now } = slot
      if (now === before) continue
      if (before !== undefined && (now === undefined || slot.opened)) closed.push(requestId)
      if (now !== undefined) (slot.opened ? opened : changed).push(now)
    }
    return { opened, changed, closed }
  }

  touchedAccounts(): Iterable<AccountSlot> {
    return this.#accounts.values()
  }

  changedAccounts(): AccountSlot[] {
    return [...this.#accounts.values()].filter(
      ({ account, before }) =>
        account.posted !== before.posted ||
        account.held !== before.held ||
        account.spent !== before.spent ||
        account.requests !== before.requests ||
        account.unlimited !== before.unlimited ||
        account.lastMs !== before.lastMs ||
        account.budgets !== before.budgets,
    )
  }

  /** The balance of every account that an operation looked up, except the system's. */
  balances(): Balance[] {
    const balances: Balance[] = []
    for (const { account } of this.#accounts.values()) {
      if (account.kind === 'system') continue
      const { id, unlimited } = account
      const budget = this.#doubted.has(account) ? 0n : budgetLeft(account)
      balances.push({
        account: id,
        available: mq(available(account)),
        unlimited,
        budgetLeft: budget === undefined ? undefined : mq(budget),
        budgetsSince: budgetsSince(account),
      })
    }
    return balances
  }

  #touch(account: Account): Account {
    if (!this.#accounts.has(account.id)) this.#accounts.set(account.id, { account, before: { ...account } })
    return account
  }

  #slot(requestId: string): HoldSlot {
    const known = this.#holds.get(requestId)
    if (known !== undefined) return known
    const before = this.#source.hold(requestId)
    const slot = { before, now: before, opened: false, claimed: false }
    this.#holds.set(requestId, slot)
    return slot
  }
}

export function available(account: Account): bigint {
  return account.posted - account.held - account.floor
}
