import type { SettledLog } from '@sluice/contract/fields/log'
import type { BudgetPeriod } from './budget-window.ts'
import type { Price, TokenCounts } from './pricing.ts'
import type { LOG_TYPE } from './rules/rows.ts'
import type { Mq } from './units.ts'

/**
 * A request to the ledger, as plain data: the group commit gathers operations, an engine applies a batch of them in one
 * transaction. `rules/transitions.ts` lists the legal steps of a request; any other is answered `stale` and changes nothing.
 *
 * The unique key (request_id, kind) of `transfer` is the only guard against double charging; holds merely reserve.
 *
 * A batch whose commit is uncertain is applied again: an operation that finds its own earlier effect changes nothing and gives the
 * same answer as the first time; one that had changed nothing is decided again. A hold or a movement recognises its own effect by
 * its `at` (and replica or actor). So no caller may send the next operation of a request before the answer to its hold.
 */
export type Operation =
  | HoldOperation
  | LeaseOperation
  | ExtendOperation
  | RenewOperation
  | SettleOperation
  | VoidOperation
  | RefundOperation
  | MoveOperation
  | RedeemOperation
  | AccountOperation
  | BudgetsOperation

/** Reserves `amount` on the user's account and on the token's limit, all or nothing. */
export interface HoldOperation {
  readonly op: 'hold'
  /** UUIDv7 as 32 hex characters; sorts by time. */
  readonly requestId: string
  readonly account: number
  readonly limitAccount: number
  readonly amount: Mq
  /** Unix milliseconds. */
  readonly at: number
  /**
   * False: the answer comes before the hold is on disk. The hold binds and the next flushed commit makes it durable, but a power
   * failure before that loses it; on an account with plenty it may never be written. For requests that deliver nothing before their
   * settlement is durable.
   */
  readonly durable: boolean
  /** The lease that has covered the request so far. */
  readonly lease?: LeasedHold
}

/** Starts the request ids of leases, which no request has. */
export const LEASE_PREFIX = 'lease-'

/**
 * Brings a replica's lease on two accounts to `amount` in total: quota set aside in one hold, within which the replica decides on
 * holds of its own without asking the database. Growing can be refused like a hold; 0 gives everything back.
 */
export interface LeaseOperation {
  readonly op: 'lease'
  /** `lease-…`: of the lease's hold, new with every start of a replica. */
  readonly requestId: string
  readonly account: number
  readonly limitAccount: number
  readonly amount: Mq
  /** Unix milliseconds. */
  readonly at: number
}

/** Grows an open hold to `amount` in total. */
export interface ExtendOperation {
  readonly op: 'extend'
  readonly requestId: string
  readonly amount: Mq
  readonly at: number
}

/** Records on the hold what to charge if the process dies: recovery applies exactly this settlement. */
export interface RenewOperation {
  readonly op: 'renew'
  readonly requestId: string
  readonly progress: Settlement
  readonly at: number
}

/** Releases the hold and posts the charge, the log row, the trace row and the daily sum in one commit. */
export interface SettleOperation {
  readonly op: 'settle'
  readonly settlement: Settlement
  /** The lease that covers this request in place of a hold. */
  readonly lease?: LeasedHold
}

export interface LeasedHold {
  /** The lease's request id. */
  readonly lease: string
  /** What is held of the lease for the request. */
  readonly amount: Mq
}

/** Releases the hold without a charge; a trace row is still kept if there is one. */
export interface VoidOperation {
  readonly op: 'void'
  readonly requestId: string
  readonly trace?: TraceRow
}

/**
 * Gives back a request's charge, or part of it, from the revenue to the user's balance and the token's limit; neither counts it as
 * spent. The charge, its log row and the daily sums stay. All refunds of a request together are at most its net charge, and the
 * first one makes the charge final: a late settlement then changes nothing.
 */
export interface RefundOperation {
  readonly op: 'refund'
  /** Id of the refund itself, as 32 hex characters of a UUIDv7: it pays only once under this id. */
  readonly refundId: string
  /** The request that was charged. */
  readonly requestId: string
  /** More than zero; `rest` is all that is left of the charge. */
  readonly amount: Mq | 'rest'
  /** Id of the user who did it. */
  readonly actor: number
  readonly reason: string
  /** Unix milliseconds. */
  readonly at: number
  /** The user's log row, under the request's id; its amount is the refund's. */
  readonly log?: Omit<ManagementLogRow, 'amount'>
}

/**
 * Moves money outside a request: gifts, top-ups, administrator changes, balances of another gateway, token limits. `limit-set`
 * changes what a token's limit account has left; `import` moves between a user's account and the system's equity account, all other
 * kinds between a user's account and the system's issuance account.
 */
export interface MoveOperation {
  readonly op: 'move'
  /** Id of the movement. */
  readonly requestId: string
  readonly kind: MoveKind
  readonly account: number
  /**
   * `add` credits the amount; `set` brings the balance to it and computes the difference inside the transaction, so a concurrent
   * charge is never lost. A difference of zero posts nothing. Only `admin-adjust`, `limit-set` and `import` may take away, by a
   * negative `add` or, except for `import`, by a `set` below the balance.
   */
  readonly mode: 'add' | 'set'
  readonly amount: Mq
  /** Id of the user who did it; 0 for the system. */
  readonly actor: number
  readonly reason: string
  readonly at: number
  /** Log row of a management act, written in the same commit; its amount is the amount moved. */
  readonly log?: Omit<ManagementLogRow, 'amount'>
}

/**
 * Pays an unused redemption code to a user and marks it used, in one commit. The amount is the code's own. Two independent guards
 * ensure that it pays only once: its status and the transfer's key.
 */
export interface RedeemOperation {
  readonly op: 'redeem'
  /** Row id of the code. */
  readonly redemption: number
  readonly account: number
  /** Id of the user who redeems. */
  readonly actor: number
  /** Pays only if this is still the last administrator below root who changed the code; 0 if none did. Absent: always pays. */
  readonly alteredBy?: number
  /** Unix milliseconds. */
  readonly at: number
  /** The user's log row; its amount is the code's. */
  readonly log: Omit<ManagementLogRow, 'amount'>
}

/** Opens an account if it does not exist and sets whether its limit binds. Balances are never touched. */
export interface AccountOperation {
  readonly op: 'account'
  readonly id: { readonly kind: AccountKind; readonly owner: number }
  /** An unlimited account counts spending but never refuses. */
  readonly unlimited: boolean
}

/** Replaces an account's budgets. An existing one keeps its window's spending; a new one counts its window from the beginning. */
export interface BudgetsOperation {
  readonly op: 'budgets'
  /** Account of a user, or limit account of a token. */
  readonly account: number
  /** The user who owns the account, or its token. */
  readonly userId: number
  /** At most one per period. */
  readonly budgets: readonly BudgetLimit[]
  /** Unix milliseconds. */
  readonly at: number
}

export interface BudgetLimit {
  readonly period: BudgetPeriod
  readonly amount: Mq
}

export type MoveKind = 'fund' | 'gift' | 'invite' | 'admin-adjust' | 'limit-set' | 'import'

export type AccountKind = 'user' | 'token' | 'system'

export interface Settlement {
  readonly requestId: string
  readonly account: number
  readonly limitAccount: number
  readonly amount: Mq
  readonly price: Price
  readonly tokens: TokenCounts
  readonly userId: number
  readonly tokenId: number
  readonly channelId: number
  /** Model as priced (after mapping). */
  readonly model: string
  readonly log: ConsumeLogRow
  readonly trace: TraceRow
}

/** Facts of a consume row that the settlement itself does not carry. */
export interface ConsumeLogRow extends SettledLog {
  /** True when the operator wants no log rows for charges. The transfer records it, so the ledger stays provable. */
  readonly unlogged?: boolean
}

export interface ManagementLogRow {
  readonly type: (typeof LOG_TYPE)['topup' | 'management' | 'system']
  readonly createdAt: number
  readonly userId: number
  readonly username: string
  readonly content: string
  readonly amount: Mq
}

/** One relayed request's timeline. Stages are unix milliseconds, 0 when never reached. */
export interface TraceRow {
  readonly requestId: string
  readonly userId: number
  readonly url: string
  readonly method: string
  /** Status the client received; 499 when it left first. */
  readonly status: number
  readonly bodySize: number
  readonly received: number
  readonly forwarded: number
  readonly firstUpstream: number
  readonly firstClient: number
  readonly upstreamCompleted: number
  readonly completed: number
  /** JSON text: the list of attempts, shaped as `traceAttempt` of the contract. */
  readonly attempts: string
  /** The final reservation for the request. */
  readonly held: Mq
  /** The provider's own usage object as JSON text, cut off by its sender at 2 kB; empty when it sent none. */
  readonly upstreamUsage: string
  /** JSON text: why the request was routed as it was (the contract's `routingDecision`); empty without a decision. */
  readonly routing: string
}

/** The outcome of an operation. Everything but `done`, `account`, `redeemed` and `refunded` left the ledger as it was. */
export type Outcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'refused'; readonly reason: 'user_quota' | 'token_quota' }
  | { readonly outcome: 'refused'; readonly reason: 'user_budget' | 'token_budget'; readonly over: OverBudget }
  /** A balance or a counter would leave the range of its column. */
  | { readonly outcome: 'out_of_range' }
  /** The request is not in a state that allows the operation. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'account'; readonly account: number }
  | { readonly outcome: 'redeemed'; readonly amount: Mq }
  | { readonly outcome: 'refunded'; readonly amount: Mq }
  /** The refund exceeds what is left of the charge. */
  | { readonly outcome: 'exceeds'; readonly left: Mq }
  /** The operation breaks a rule that no correct caller breaks. */
  | { readonly outcome: 'invalid'; readonly rule: string }

/** The budget that a hold would overrun. */
export interface OverBudget {
  readonly period: BudgetPeriod
  /** Unix milliseconds when it resets. */
  readonly resetsMs: number
}

/** Balance of an account right after a commit. */
export interface Balance {
  readonly account: number
  /** posted − held − floor; meaningless when unlimited. */
  readonly available: Mq
  readonly unlimited: boolean
  /** What the tightest budget leaves in the window of the last charge; undefined without budgets. */
  readonly budgetLeft?: Mq | undefined
  /** Unix milliseconds from which `budgetLeft` is valid; a clock that is set back may be before that. Undefined without budgets. */
  readonly budgetsSince?: number | undefined
}
