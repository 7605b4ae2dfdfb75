import type { ColumnTypes } from '../../column-types.ts'
import { rollUpTriggers } from '../../rollup-triggers.ts'
import { sessionTriggers } from '../../session-triggers.ts'

/**
 * What was used: log and trace of each request, and what lets every list and sum over them return at once, however many rows there are.
 *
 * `log_daily` counts log rows by day and everything that they can be filtered by; `log_daily_token` and `log_daily_model` are the
 * same without users, and without users and tokens. They say how many rows a filter finds, on which days they are, and under which
 * keys the index `log_series` has them. `log_time` and `log_series` contain what rows are sorted by and summed, so that choosing rows
 * reads no row. `log_zone` has the extremes of ten minutes of charges, so that the dearest of a month are found without a look at the
 * others. `usage_daily_model`, `usage_daily_token` and `usage_block_token` (32 days in one) are compact sums of `usage_daily`, and
 * `usage_session` those of what a client called a session. Triggers maintain all of them, so they cannot differ from their source.
 */
export function usageTables(t: ColumnTypes): readonly string[] {
  return [
    `create table log (
      id ${t.longId},
      created_at ${t.safeInteger} not null,
      type ${t.int} not null,
      user_id ${t.int} not null,
      username ${t.text} not null,
      token_id ${t.int} not null,
      token_name ${t.text} not null,
      model_name ${t.text} not null,
      origin_model_name ${t.text} not null,
      channel_id ${t.int} not null,
      channel_name ${t.text} not null,
      amount ${t.int8} not null,
      prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null,
      cached_prompt_tokens ${t.safeInteger} not null,
      cache_write_5m_tokens ${t.safeInteger} not null,
      cache_write_1h_tokens ${t.safeInteger} not null,
      reasoning_tokens ${t.safeInteger} not null,
      request_id ${t.text},
      elapsed_ms ${t.safeInteger} not null,
      is_stream ${t.int} not null,
      estimated ${t.int} not null,
      ended ${t.text} not null,
      content ${t.text} not null,
      units ${t.text},
      session ${t.text} not null default '',
      client ${t.text} not null default '',
      saved ${t.int8} not null default 0
    )`,
    `create index log_time on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms)`,
    `create index log_series on log
      (user_id, token_name, channel_id, model_name, type, created_at, amount, prompt_tokens, completion_tokens, elapsed_ms)`,
    `create index log_plain on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms, user_id)
      where type <> 2`,
    `create index log_session on log (session, created_at, type, amount) where session <> ''`,
    `create table trace (
      request_id ${t.text} primary key,
      user_id ${t.int} not null,
      url ${t.text} not null,
      method ${t.text} not null,
      status ${t.int} not null,
      body_size ${t.safeInteger} not null,
      received_ms ${t.safeInteger} not null,
      forwarded_ms ${t.safeInteger} not null,
      first_upstream_ms ${t.safeInteger} not null,
      first_client_ms ${t.safeInteger} not null,
      upstream_completed_ms ${t.safeInteger} not null,
      completed_ms ${t.safeInteger} not null,
      attempts ${t.text} not null,
      held ${t.int8} not null default 0,
      upstream_usage ${t.text} not null default '',
      routing ${t.text} not null default ''
    ) ${t.inKeyOrder}`,
    `create table log_daily (
      user_id ${t.int} not null,
      day ${t.int} not null,
      token_name ${t.text} not null,
      channel_id ${t.int} not null,
      model_name ${t.text} not null,
      type ${t.int} not null,
      entries ${t.safeInteger} not null,
      amount ${t.int8} not null,
      primary key (user_id, day, token_name, channel_id, model_name, type)
    ) ${t.inKeyOrder}`,
    `create index log_daily_day on log_daily (day, model_name, channel_id, token_name, type, user_id)`,
    `create table log_daily_model (
      day ${t.int} not null,
      model_name ${t.text} not null,
      channel_id ${t.int} not null,
      type ${t.int} not null,
      entries ${t.safeInteger} not null,
      amount ${t.int8} not null,
      primary key (day, model_name, channel_id, type)
    ) ${t.inKeyOrder}`,
    `create table log_daily_token (
      token_name ${t.text} not null,
      model_name ${t.text} not null,
      channel_id ${t.int} not null,
      day ${t.int} not null,
      type ${t.int} not null,
      entries ${t.safeInteger} not null,
      amount ${t.int8} not null,
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
      least_amount ${t.int8} not null,
      most_amount ${t.int8} not null,
      least_prompt ${t.safeInteger} not null,
      most_prompt ${t.safeInteger} not null,
      least_completion ${t.safeInteger} not null,
      most_completion ${t.safeInteger} not null,
      least_elapsed ${t.safeInteger} not null,
      most_elapsed ${t.safeInteger} not null
    )`,
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
    `create table usage_daily_model (
      day ${t.int} not null,
      model ${t.text} not null,
      channel_id ${t.int} not null,
      requests ${t.safeInteger} not null,
      prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null,
      amount ${t.int8} not null,
      primary key (day, model, channel_id)
    ) ${t.inKeyOrder}`,
    `create table usage_daily_token (
      user_id ${t.int} not null,
      token_id ${t.int} not null,
      day ${t.int} not null,
      requests ${t.safeInteger} not null,
      prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null,
      amount ${t.int8} not null,
      primary key (user_id, token_id, day)
    ) ${t.inKeyOrder}`,
    `create table usage_block_token (
      user_id ${t.int} not null,
      token_id ${t.int} not null,
      block ${t.int} not null,
      amount ${t.int8} not null,
      primary key (user_id, token_id, block)
    ) ${t.inKeyOrder}`,
    `create table usage_session (
      token_id ${t.int} not null,
      session ${t.text} not null,
      user_id ${t.int} not null,
      token_name ${t.text} not null,
      client ${t.text} not null,
      models ${t.text} not null,
      first_at ${t.safeInteger} not null,
      last_at ${t.safeInteger} not null,
      calls ${t.safeInteger} not null,
      amount ${t.int8} not null,
      saved ${t.int8} not null,
      prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null,
      cached_prompt_tokens ${t.safeInteger} not null,
      cache_write_5m_tokens ${t.safeInteger} not null,
      cache_write_1h_tokens ${t.safeInteger} not null,
      reasoning_tokens ${t.safeInteger} not null,
      primary key (token_id, session)
    ) ${t.inKeyOrder}`,
    `create index usage_session_last on usage_session (last_at, first_at, amount, user_id)`,
    `create index usage_session_user on usage_session (user_id, last_at, first_at, amount)`,
    ...rollUpTriggers(t.engine),
    ...sessionTriggers(t.engine),
  ]
}
