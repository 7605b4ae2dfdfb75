import type {
  AccountKind,
  Balance,
  BudgetsOperation,
  HoldOperation,
  MoveOperation,
  OverBudget,
  RedeemOperation,
  RefundOperation,
  Settlement,
  TraceRow,
} from './operation.ts'
import type { Mq } from './units.ts'

/** A balance this process saw after one of its own commits. For admission only, never authoritative. */
export interface KnownBalance extends Balance {
  /** Monotonic milliseconds. */
  readonly seen: number
}

/**
 * `unavailable`: the database did not answer in time, or this process may not take new requests. Nothing stays held; a movement may
 * still be made, but only once, so it can be repeated under its id.
 */
export type HoldAnswer = 'held' | 'user_quota' | 'token_quota' | BudgetRefusal | 'stale' | 'unavailable'

export interface BudgetRefusal {
  readonly reason: 'user_budget' | 'token_budget'
  readonly over: OverBudget
}

/**
 * `out_of_range`: nothing was charged, because a balance cannot hold such a number; the hold is still open. `withdrawn`: the caller
 * took it back and nothing was charged, so settle or void the request again. `in_doubt`: the caller took it back, but a failed
 * commit may have charged it: settle it again (for nothing if need be), which corrects the charge; a void would leave it.
 */
export type SettleAnswer = 'charged' | 'out_of_range' | 'withdrawn' | 'in_doubt' | 'unavailable'
/** `unchanged`: already moved under this id by another caller, or the difference is zero. */
export type MoveAnswer = 'moved' | 'unchanged' | 'out_of_range' | 'unavailable'

/** The amount that the code paid. `unusable`: it is used, disabled or gone; nothing moved. */
export type RedeemAnswer = { readonly paid: Mq } | 'unusable' | 'out_of_range' | 'unavailable'

/**
 * The amount that was given back. `not_charged`: no such charge, or the id has paid another refund. `atMost`: more than is left of
 * the charge was requested; nothing moved.
 */
export type RefundAnswer =
  | { readonly refunded: Mq }
  | { readonly atMost: Mq }
  | 'not_charged'
  | 'out_of_range'
  | 'unavailable'

export type RequestLedger = Pick<
  Ledger,
  | 'hold'
  | 'extend'
  | 'renew'
  | 'settle'
  | 'withdraw'
  | 'void'
  | 'openAccount'
  | 'knownBalance'
  | 'isComfortable'
  | 'dead'
>

/**
 * All that the rest of the gateway sees of money. Promises resolve when the answer is committed and flushed, so later reads of the
 * tables see it; they reject only for a bug in the caller, such as a negative charge. A hold need not be durable. Wait for the
 * answer to a hold before you settle, extend or void it.
 */
export interface Ledger {
  hold(request: Omit<HoldOperation, 'op' | 'at'>): Promise<HoldAnswer>
  extend(requestId: string, amount: Mq): Promise<HoldAnswer>
  renew(progress: Settlement): Promise<void>
  /** `unavailable` only when `close` gave up waiting for the database; recovery then charges the last progress. */
  settle(settlement: Settlement): Promise<SettleAnswer>
  /** Takes back a settlement that waits for a disk or database that does not write; no effect once it is part of a commit. */
  withdraw(requestId: string): void
  void(requestId: string, trace: TraceRow): Promise<void>
  move(movement: Omit<MoveOperation, 'op' | 'at'>): Promise<MoveAnswer>
  redeem(redemption: Omit<RedeemOperation, 'op' | 'at'>): Promise<RedeemAnswer>
  refund(refund: Omit<RefundOperation, 'op' | 'at'>): Promise<RefundAnswer>
  /** Opens the account if needed, sets whether its limit binds, and returns its id. */
  openAccount(kind: AccountKind, owner: number, unlimited: boolean): Promise<number | 'unavailable'>
  setBudgets(budgets: Omit<BudgetsOperation, 'op' | 'at'>): Promise<'set' | 'unavailable'>
  /** Undefined when this process has not touched the account lately. */
  knownBalance(account: number): KnownBalance | undefined
  /**
   * Whether the account has ten times `amount` left after everything that this process has promised, as seen within the last 5 s.
   */
  isComfortable(account: number, amount: Mq): boolean
  /** Operations not yet answered; above its cap, the edge refuses new requests early. */
  readonly backlog: number
  /**
   * True when charges cannot be made durable: nothing has become durable for 2 s, though something was tried. Turns false at most
   * about a second after the database can be written again.
   */
  readonly stuck: boolean
  /** True once another replica has declared this process dead: settle what is in flight, take nothing new. */
  readonly dead: boolean
  /** Answers everything queued (up to the drain time-out), then stops timers and closes the engine. */
  close(): Promise<void>
}
