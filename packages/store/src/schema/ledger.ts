import type { LogColumns } from '@sluice/contract/fields/log'
import type { ColumnType, Generated } from 'kysely'

/** 64-bit integers come back as bigint from both engines. */
type Int8 = ColumnType<bigint, bigint, bigint>
type GeneratedInt8 = ColumnType<bigint, bigint | undefined, bigint>
type GeneratedLong = ColumnType<number | bigint, never, never>
/** 0 or 1. */
type Flag = ColumnType<number, number, number>

/** Written only by the ledger; management only clears old log and trace rows. */
export interface LedgerTables {
  account: AccountTable
  budget: BudgetTable
  hold: HoldTable
  transfer: TransferTable
  price: PriceTable
  usage_daily: UsageDailyTable
  log: LogTable
  trace: TraceTable
  replica: ReplicaTable
  ledger_event: LedgerEventTable
}

/** One per user, token limit and system role; found by (kind, owner_id), which is unique. */
export interface AccountTable {
  id: Generated<number>
  kind: string
  owner_id: number
  posted: Int8
  held: Int8
  /** consume + adjust − refund − admin-refund over the transfers that name this account. */
  spent: Int8
  requests: number
  credit_floor: Int8
  unlimited: Flag
  /** Unix milliseconds of the last charge; 0 never. */
  last_ms: number
  /** 1 when the account has rows in `budget`. */
  budgeted: Generated<number>
  /** 1 from a low-balance event until the balance is above the threshold again. */
  reminded: Generated<number>
}

/** An account's budget per day, week (from Monday) or month, in UTC. */
export interface BudgetTable {
  account: number
  period: 'day' | 'week' | 'month'
  amount: Int8
  /** Unix milliseconds. The window that `spent` counts; the first charge of a later window moves it on. */
  window_start_ms: number
  /** Net charges in the window. */
  spent: Int8
}

export interface HoldTable {
  request_id: string
  account: number
  limit_account: number
  amount: Int8
  /** JSON of the settlement to apply if the replica dies; null until the first renewal. */
  progress: string | null
  replica: string
  opened_ms: number
  touched_ms: number
}

export interface TransferTable {
  request_id: string
  kind: string
  /** Null for `limit-set` rows, which move no money. */
  debit: number | null
  credit: number | null
  limit_account: number | null
  /** Never negative, except the signed step of a `limit-set`. */
  amount: Int8
  price_id: number | null
  input_tokens: number
  cached_tokens: number
  cache_write_5m_tokens: number
  cache_write_1h_tokens: number
  output_tokens: number
  /** Prompt tokens among the units, so that sums need not parse their text. */
  other_prompt_tokens: Generated<number>
  other_output_tokens: Generated<number>
  /** Counts by class, see the ledger's `unit-class.ts`. */
  units: string | null
  channel_id: number
  model: string
  actor: number
  reason: string
  at_ms: number
  /** The request that an administrator’s refund gives back; null for every other row. */
  refers_to: string | null
}

/** Rates by content; one row per distinct price ever charged. */
export interface PriceTable {
  id: Generated<number>
  /** Canonical text of all fields below; unique. */
  content: string
  input: Int8
  cached_input: Int8
  cache_write_5m: Int8
  cache_write_1h: Int8
  output: Int8
  /** Rates by class, see the ledger's `unit-class.ts`. */
  units: string | null
  group_ratio: Int8
  source: string
}

export interface UsageDailyTable {
  /** Days since 1970-01-01 UTC. */
  day: number
  user_id: number
  token_id: number
  channel_id: number
  model: string
  requests: number
  /** All input classes together. */
  prompt_tokens: number
  completion_tokens: number
  amount: Int8
}

export interface LogTable extends LogColumns {
  /** Outgrows 32 bits, so it is bigint on PostgreSQL and number on SQLite: read it through `asNumber`. */
  id: GeneratedLong
}

export interface TraceTable {
  request_id: string
  user_id: number
  url: string
  method: string
  status: number
  body_size: number
  received_ms: number
  forwarded_ms: number
  first_upstream_ms: number
  first_client_ms: number
  upstream_completed_ms: number
  completed_ms: number
  attempts: string
  /** The final reservation. */
  held: GeneratedInt8
  /** The provider's usage object as JSON text, at most 2 kB; may be cut off. Empty when it sent none. */
  upstream_usage: Generated<string>
  /** Why the request was routed as it was, as JSON text; empty when there was nothing to decide. */
  routing: Generated<string>
}

export interface ReplicaTable {
  id: string
  heartbeat_ms: number
  /** Start of the time without two missed heartbeats in a row; by the database's clock, like `heartbeat_ms`. */
  started_ms: number
  /** Set when another replica closed this one's holds; this one must then stop. */
  dead: Flag
  /** JSON of `ReplicaFacts`, by which the doctor compares replicas; empty when it says nothing. */
  facts: Generated<string>
}

/** Events that someone still has to be notified of. */
export interface LedgerEventTable {
  id: GeneratedLong
  kind: 'balance_low' | 'budget_low' | 'charge_corrected'
  account: number
  /** The period of a budget, the id of a request, or empty. */
  subject: string
  amount: Int8
}
