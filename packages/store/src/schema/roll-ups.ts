import type { ColumnType } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>

/** Written by triggers of `log` and `usage_daily` alone; see `rollup-triggers.ts` and `session-triggers.ts`. */
export interface RollUps {
  log_daily: LogDailyTable
  log_daily_model: LogDailyModelTable
  log_daily_token: LogDailyTokenTable
  usage_daily_model: UsageDailyModelTable
  usage_daily_token: UsageDailyTokenTable
  usage_block_token: UsageBlockTokenTable
  usage_session: UsageSessionTable
}

/** Rows of `log` per key; `amount` is that of charges (type 2) alone, in mq. */
interface LogSums {
  entries: number
  amount: Int8
}

interface LogDailyTable extends LogSums {
  user_id: number
  /** Days since 1970-01-01 UTC. */
  day: number
  token_name: string
  channel_id: number
  model_name: string
  type: number
}

interface LogDailyModelTable extends LogSums {
  day: number
  model_name: string
  channel_id: number
  type: number
}

interface LogDailyTokenTable extends LogSums {
  token_name: string
  model_name: string
  channel_id: number
  day: number
  type: number
}

/** Sums of `usage_daily` per key. */
interface UsageSums {
  requests: number
  prompt_tokens: number
  completion_tokens: number
  amount: Int8
}

interface UsageDailyModelTable extends UsageSums {
  day: number
  model: string
  channel_id: number
}

interface UsageDailyTokenTable extends UsageSums {
  user_id: number
  token_id: number
  day: number
}

interface UsageBlockTokenTable {
  user_id: number
  token_id: number
  /** Day divided by 32. */
  block: number
  amount: Int8
}

/** What a client's session cost: the charges in `log` that name it. Cleared when its last call is. */
export interface UsageSessionTable {
  token_id: number
  /** Digest of the token and the name that the client gave. */
  session: string
  user_id: number
  /** Of the last call, like the client. */
  token_name: string
  client: string
  /** Names in the order of their first charge, one a line; at most eight. */
  models: string
  /** Unix seconds: when the first call began, and when the last one was charged. */
  first_at: number
  last_at: number
  calls: number
  /** mq. */
  amount: Int8
  saved: Int8
  /** Classes as in `log`. */
  prompt_tokens: number
  completion_tokens: number
  cached_prompt_tokens: number
  cache_write_5m_tokens: number
  cache_write_1h_tokens: number
  reasoning_tokens: number
}
