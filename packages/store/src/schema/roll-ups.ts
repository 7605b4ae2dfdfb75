import type { ColumnType } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>

/** Written only by triggers on `log` and `usage_daily`; see `rollup-triggers.ts` and `session-triggers.ts`. */
export interface RollUps {
  log_daily: LogDailyTable
  log_daily_model: LogDailyModelTable
  log_daily_token: LogDailyTokenTable
  usage_daily_model: UsageDailyModelTable
  usage_daily_token: UsageDailyTokenTable
  usage_block_token: UsageBlockTokenTable
  usage_session: UsageSessionTable
}

/** Sums of `log` rows per key; `amount` counts charges (type 2) only, in mq. */
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
  /** The day divided by 32. */
  block: number
  amount: Int8
}

/** The cost of a client's session: the sum of the charges in `log` that name it. Cleared together with its last call. */
export interface UsageSessionTable {
  token_id: number
  /** Digest of the token and of the session name that the client gave. */
  session: string
  user_id: number
  /** Token name of the last call; `client` is the last call's too. */
  token_name: string
  client: string
  /** Model names in the order of their first charge, one per line; at most eight. */
  models: string
  /** Unix seconds: when the first call began; `last_at` is when the last one was charged. */
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
