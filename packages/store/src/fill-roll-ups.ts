import type { ColumnTypes } from './column-types.ts'

const USAGE_SUMS = 'sum(requests), sum(prompt_tokens), sum(completion_tokens), sum(amount)'
const day = (t: ColumnTypes): string =>
  t.engine === 'sqlite' ? 'created_at / 86400' : 'floor(created_at / 86400)::int'
const zone = (t: ColumnTypes): string => (t.engine === 'sqlite' ? 'created_at / 600' : 'floor(created_at / 600)::int')

/** Computes the roll-ups, which must be empty, from their tables: for rows that were written while the triggers were off. */
export function fillRollUps(t: ColumnTypes): readonly string[] {
  const counted = `count(*), sum(case type when 2 then amount else 0 end)`
  return [
    `insert into log_daily
      select user_id, ${day(t)}, token_name, channel_id, model_name, type, ${counted} from log
      group by user_id, ${day(t)}, token_name, channel_id, model_name, type`,
    `insert into log_daily_model
      select day, model_name, channel_id, type, sum(entries), sum(amount) from log_daily
      group by day, model_name, channel_id, type`,
    `insert into log_daily_token
      select token_name, model_name, channel_id, day, type, sum(entries), sum(amount) from log_daily
      group by token_name, model_name, channel_id, day, type`,
    `insert into log_username select distinct username, user_id from log`,
    `insert into log_zone select ${zone(t)}, min(amount), max(amount), min(prompt_tokens), max(prompt_tokens),
      min(completion_tokens), max(completion_tokens), min(elapsed_ms), max(elapsed_ms)
      from log where type = 2 group by ${zone(t)}`,
    `insert into usage_daily_model select day, model, channel_id, ${USAGE_SUMS} from usage_daily
      group by day, model, channel_id`,
    `insert into usage_daily_token select user_id, token_id, day, ${USAGE_SUMS} from usage_daily
      group by user_id, token_id, day`,
    `insert into usage_block_token select user_id, token_id, day / 32, sum(amount) from usage_daily_token
      group by user_id, token_id, day / 32`,
  ]
}
