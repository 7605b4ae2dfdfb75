import type { CorrectedLog, LogValues } from '@sluice/contract/fields/log'
import type { BudgetPeriod } from '../budget-window.ts'
import type { AccountKind } from '../operation.ts'
import type { TokenCounts } from '../pricing.ts'

/** The log types and code statuses that the rules write. The store has all of them, in `statuses.ts`. */
export const LOG_TYPE = { topup: 1, consume: 2, management: 3, system: 4 } as const
export const REDEMPTION_STATUS = { unused: 1, used: 3 } as const

/** An account as the rules see it; they change it in place, and the engine writes what changed. */
export interface Account {
  readonly id: number
  readonly kind: AccountKind
  readonly owner: number
  posted: bigint
  held: bigint
  spent: bigint
  requests: number
  readonly floor: bigint
  unlimited: boolean
  /** Unix milliseconds of the last charge; 0 never. */
  lastMs: number
  /** True from a low-balance event until the balance is above the threshold again. */
  reminded: boolean
  /** One per period; replaced, never changed in place. */
  budgets: readonly Budget[]
}

/** What an account may spend in one window of a period. */
export interface Budget {
  readonly account: number
  readonly period: BudgetPeriod
  readonly amount: bigint
  /** Unix milliseconds. The window that `spent` counts; the first charge of a later window moves it on. */
  readonly windowStartMs: number
  readonly spent: bigint
}

export interface Hold {
  readonly requestId: string
  readonly account: number
  readonly limitAccount: number
  readonly amount: bigint
  /** Text of `progress.ts`; null until the first renewal. */
  readonly progress: string | null
  readonly replica: string
  readonly openedMs: number
  readonly touchedMs: number
}

/** Tokens of a transfer row: everything that has a price. */
export type PricedTokens = Omit<TokenCounts, 'reasoning'>

/** The first charge of a request. Corrections and refunds keep its channel and model, corrections also its time. */
export interface Charged {
  readonly account: number
  readonly limitAccount: number
  readonly amount: bigint
  /** `amount` with its correction. */
  readonly net: bigint
  readonly tokens: PricedTokens
  readonly channelId: number
  readonly model: string
  readonly atMs: number
  /** True when its one `adjust` or `refund` has been posted. */
  readonly corrected: boolean
  /** Total that administrators have given back so far; at most `net`. */
  readonly refunded: bigint
}

/** An earlier movement, with the values that identify its caller. */
export interface Moved {
  readonly account: number
  readonly actor: number
  readonly atMs: number
}

export interface Refund {
  readonly requestId: string
  readonly amount: bigint
  readonly actor: number
  readonly atMs: number
}

/** The parts of a redemption code that concern money. */
export interface Redemption {
  readonly id: number
  readonly amount: bigint
  /** 1 unused, 2 disabled, 3 used. */
  readonly status: number
  /** Unix seconds from which it pays nothing; 0 never. */
  readonly expiredTime: number
  /** Used at another gateway. */
  readonly usedBefore: boolean
  /** User id of the last administrator below root who changed it; 0 if none did. */
  readonly alteredBy: number
  /** User id; 0 while it is not used. */
  readonly redeemedBy: number
  /** Unix milliseconds; 0 while it is not used. */
  readonly redeemedMs: number
}

export interface TransferRow {
  readonly requestId: string
  readonly kind: string
  readonly debit: number | null
  readonly credit: number | null
  readonly limitAccount: number | null
  readonly amount: bigint
  readonly priceId: number | null
  readonly tokens: PricedTokens
  readonly channelId: number
  readonly model: string
  readonly actor: number
  readonly reason: string
  readonly atMs: number
  /** The request that an administrator's refund belongs to; null for every other row. */
  readonly refersTo: string | null
}

export type LogRow = LogValues

/** The changes that a late settlement makes to the log row of its request, found by time and id. */
export type LogCorrection = CorrectedLog & Pick<LogRow, 'createdAt' | 'requestId'>

/** To be added to the row with the same five keys. */
export interface UsageRow {
  readonly day: number
  readonly userId: number
  readonly tokenId: number
  readonly channelId: number
  readonly model: string
  requests: number
  promptTokens: number
  completionTokens: number
  amount: bigint
}

/**
 * Something that must be reported outside the ledger, written in the commit that caused it.
 *
 * | kind | account | subject | amount |
 * | ------------------ | -------------------- | ------------- | ------------------------------- |
 * | `balance_low` | the user’s | empty | the balance that is left |
 * | `budget_low` | the user’s, a token’s| the period | the budget |
 * | `charge_corrected` | the user’s | the request | what was charged more, or less |
 */
export interface LedgerEvent {
  readonly kind: 'balance_low' | 'budget_low' | 'charge_corrected'
  readonly account: number
  readonly subject: string
  /** mq. */
  readonly amount: bigint
}
