import type { ColumnType } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>

/** Written by triggers of `log` and `usage_daily` alone; see `rollup-triggers.ts`. */
export interface RollUps {
  log_daily: LogDailyTable
  log_daily_model: LogDailyModelTable
  log_daily_token: LogDailyTokenTable
  usage_daily_model: UsageDailyModelTable
  usage_daily_token: UsageDailyTokenTable
  usage_block_token: UsageBlockTokenTable
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
