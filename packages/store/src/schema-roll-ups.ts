import type { ColumnType } from 'kysely'

type Int8 = ColumnType<bigint, bigint, bigint>

/** Rows of `log` per key; `amount` is that of charges (type 2) alone, in mq. Written by triggers. */
interface LogSums {
  entries: number
  amount: Int8
}

export interface LogDailyTable extends LogSums {
  user_id: number
  /** Days since 1970-01-01 UTC. */
  day: number
  token_name: string
  channel_id: number
  model_name: string
  type: number
}

export interface LogDailyModelTable extends LogSums {
  day: number
  model_name: string
  channel_id: number
  type: number
}

export interface LogDailyTokenTable extends LogSums {
  token_name: string
  day: number
  type: number
}

/** Sums of `usage_daily` per key. Written by triggers. */
interface UsageSums {
  requests: number
  prompt_tokens: number
  completion_tokens: number
  amount: Int8
}

export interface UsageDailyModelTable extends UsageSums {
  day: number
  model: string
  channel_id: number
}

export interface UsageDailyTokenTable extends UsageSums {
  user_id: number
  token_id: number
  day: number
}
