import type { ColumnTypes } from '../column-types.ts'
import type { Migration } from '../migration.ts'
import { rollUpTriggers } from '../rollup-triggers.ts'

/**
 * What lets every list and sum over logs and usage return at once, however many rows there are.
 *
 * `log_daily` counts log rows by day and everything that they can be filtered by; `log_daily_token` and `log_daily_model` are the
 * same without users, and without users and tokens. They say how many rows a filter finds, on which days they are, and under which
 * keys the index `log_series` has them. `log_zone` has the extremes of ten minutes of charges, so that the dearest of a month are
 * found without a look at the others. `usage_daily_model`, `usage_daily_token` and `usage_block_token` (32 days in one) are compact
 * sums of `usage_daily`. Triggers maintain all of them (`rollup-triggers.ts`), so they cannot differ from their source.
 */
export const logIndexes: Migration = {
  name: '0008-log-indexes',
  breaking: false,
  statements: (t) => [
    ...usageByUser(t),
    ...logRollUps(t),
    ...usageRollUps(t),
    ...fillRollUps(t),
    ...indexes,
    ...rollUpTriggers(t.engine),
  ],
}

const USAGE_SUMS = 'sum(requests), sum(prompt_tokens), sum(completion_tokens), sum(amount)'
const day = (t: ColumnTypes): string =>
  t.engine === 'sqlite' ? 'created_at / 86400' : 'floor(created_at / 86400)::int'
const zone = (t: ColumnTypes): string => (t.engine === 'sqlite' ? 'created_at / 600' : 'floor(created_at / 600)::int')

function logRollUps(t: ColumnTypes): readonly string[] {
  const sums = `entries ${t.safeInteger} not null, amount ${t.int8} not null`
  return [
    `create table log_daily (
      user_id ${t.int} not null,
      day ${t.int} not null,
      token_name ${t.text} not null,
      channel_id ${t.int} not null,
      model_name ${t.text} not null,
      type ${t.int} not null,
      ${sums},
      primary key (user_id, day, token_name, channel_id, model_name, type)
    ) ${t.inKeyOrder}`,
    `create index log_daily_day on log_daily (day, model_name, channel_id, token_name, type, user_id)`,
    `create table log_daily_model (
      day ${t.int} not null,
      model_name ${t.text} not null,
      channel_id ${t.int} not null,
      type ${t.int} not null,
      ${sums},
      primary key (day, model_name, channel_id, type)
    ) ${t.inKeyOrder}`,
    `create table log_daily_token (
      token_name ${t.text} not null,
      model_name ${t.text} not null,
      channel_id ${t.int} not null,
      day ${t.int} not null,
      type ${t.int} not null,
      ${sums},
      primary key (token_name, model_name, channel_id, day, type)
    ) ${t.inKeyOrder}`,
    `create index log_daily_token_day on log_daily_token (day)`,
    `create table log_username (
      username ${t.text} not null,
      user_id ${t.int} not null,
      primary key (username, user_id)
    ) ${t.inKeyOrder}`,
    `create table log_zone (
      zone ${t.int} primary key,
      ${['amount', 'prompt', 'completion', 'elapsed']
        .flatMap((name) => [`least_${name}`, `most_${name}`])
        .map((name) => `${name} ${name.endsWith('amount') ? t.int8 : t.safeInteger} not null`)
        .join(', ')}
    )`,
  ]
}

function usageRollUps(t: ColumnTypes): readonly string[] {
  const sums = `requests ${t.safeInteger} not null, prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null, amount ${t.int8} not null`
  return [
    `create table usage_daily_model (
      day ${t.int} not null,
      model ${t.text} not null,
      channel_id ${t.int} not null,
      ${sums},
      primary key (day, model, channel_id)
    ) ${t.inKeyOrder}`,
    `create table usage_daily_token (
      user_id ${t.int} not null,
      token_id ${t.int} not null,
      day ${t.int} not null,
      ${sums},
      primary key (user_id, token_id, day)
    ) ${t.inKeyOrder}`,
    `create table usage_block_token (
      user_id ${t.int} not null,
      token_id ${t.int} not null,
      block ${t.int} not null,
      amount ${t.int8} not null,
      primary key (user_id, token_id, block)
    ) ${t.inKeyOrder}`,
  ]
}

/**
 * `usage_daily` with its key in another order: a user's rows are stored together, on SQLite in one tree where there were four, so a
 * charge writes less.
 */
function usageByUser(t: ColumnTypes): readonly string[] {
  return [
    `create table usage_daily_copy as select * from usage_daily`,
    `drop table usage_daily`,
    `create table usage_daily (
      day ${t.int} not null,
      user_id ${t.int} not null,
      token_id ${t.int} not null,
      channel_id ${t.int} not null,
      model ${t.text} not null,
      requests ${t.safeInteger} not null,
      prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null,
      amount ${t.int8} not null,
      primary key (user_id, day, token_id, channel_id, model)
    ) ${t.inKeyOrder}`,
    `insert into usage_daily select * from usage_daily_copy order by user_id, day, token_id, channel_id, model`,
    `drop table usage_daily_copy`,
  ]
}

/** Computes the roll-ups, which must be empty, from their tables: for rows that were written while there were no triggers. */
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

/** `log_time` and `log_series` contain what rows are sorted by and summed, so that choosing rows reads no row. */
const indexes: readonly string[] = [
  `drop index log_created`,
  `drop index log_user`,
  `drop index log_channel`,
  `drop index log_request`,
  `create index log_time on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms)`,
  `create index log_series on log
    (user_id, token_name, channel_id, model_name, type, created_at, amount, prompt_tokens, completion_tokens, elapsed_ms)`,
  `create index log_plain on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms, user_id)
    where type <> 2`,
]
