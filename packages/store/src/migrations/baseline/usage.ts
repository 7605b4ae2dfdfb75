/**
 * Usage: the log and trace of each request, and the tables and indexes that keep lists and sums over them fast at any size.
 *
 * `log_daily` counts log rows by day and every filter column; `log_daily_token` and `log_daily_model` are the same without users,
 * and without users and tokens. They tell how many rows a filter finds, on which days, and under which keys of the index
 * `log_series`. `log_time` and `log_series` contain the columns by which rows are sorted and that are summed, so that rows can be
 * chosen without reading them. `log_zone` has the extremes of each ten minutes of charges, so that a month's most expensive ones
 * are found without reading the others. `usage_daily_model`, `usage_daily_token` and `usage_block_token` (32 days in one) are
 * compact sums of `usage_daily`, and `usage_session` has the sums of each session that a client named. Triggers maintain all of
 * them, so they cannot differ from their source.
 */
export const USAGE_TABLES: readonly string[] = [
  `create table log (
      id {longId},
      created_at {safeInteger} not null,
      type {int} not null,
      user_id {int} not null,
      username {text} not null,
      token_id {int} not null,
      token_name {text} not null,
      model_name {text} not null,
      origin_model_name {text} not null,
      channel_id {int} not null,
      channel_name {text} not null,
      amount {int8} not null,
      prompt_tokens {safeInteger} not null,
      completion_tokens {safeInteger} not null,
      cached_prompt_tokens {safeInteger} not null,
      cache_write_5m_tokens {safeInteger} not null,
      cache_write_1h_tokens {safeInteger} not null,
      reasoning_tokens {safeInteger} not null,
      request_id {text},
      elapsed_ms {safeInteger} not null,
      is_stream {int} not null,
      estimated {int} not null,
      ended {text} not null,
      content {text} not null,
      units {text},
      session {text} not null default '',
      client {text} not null default '',
      saved {int8} not null default 0
    )`,
  `create index log_time on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms)`,
  `create index log_series on log
      (user_id, token_name, channel_id, model_name, type, created_at, amount, prompt_tokens, completion_tokens, elapsed_ms)`,
  `create index log_plain on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms, user_id)
      where type <> 2`,
  `create index log_session on log (session, created_at, type, amount) where session <> ''`,
  `create table trace (
      request_id {text} primary key,
      user_id {int} not null,
      url {text} not null,
      method {text} not null,
      status {int} not null,
      body_size {safeInteger} not null,
      received_ms {safeInteger} not null,
      forwarded_ms {safeInteger} not null,
      first_upstream_ms {safeInteger} not null,
      first_client_ms {safeInteger} not null,
      upstream_completed_ms {safeInteger} not null,
      completed_ms {safeInteger} not null,
      attempts {text} not null,
      held {int8} not null default 0,
      upstream_usage {text} not null default '',
      routing {text} not null default ''
    ) {inKeyOrder}`,
  `create table log_daily (
      user_id {int} not null,
      day {int} not null,
      token_name {text} not null,
      channel_id {int} not null,
      model_name {text} not null,
      type {int} not null,
      entries {safeInteger} not null,
      amount {int8} not null,
      primary key (user_id, day, token_name, channel_id, model_name, type)
    ) {inKeyOrder}`,
  `create index log_daily_day on log_daily (day, model_name, channel_id, token_name, type, user_id)`,
  `create table log_daily_model (
      day {int} not null,
      model_name {text} not null,
      channel_id {int} not null,
      type {int} not null,
      entries {safeInteger} not null,
      amount {int8} not null,
      primary key (day, model_name, channel_id, type)
    ) {inKeyOrder}`,
  `create table log_daily_token (
      token_name {text} not null,
      model_name {text} not null,
      channel_id {int} not null,
      day {int} not null,
      type {int} not null,
      entries {safeInteger} not null,
      amount {int8} not null,
      primary key (token_name, model_name, channel_id, day, type)
    ) {inKeyOrder}`,
  `create index log_daily_token_day on log_daily_token (day)`,
  `create table log_username (
      username {text} not null,
      user_id {int} not null,
      primary key (username, user_id)
    ) {inKeyOrder}`,
  `create table log_zone (
      zone {int} primary key,
      least_amount {int8} not null,
      most_amount {int8} not null,
      least_prompt {safeInteger} not null,
      most_prompt {safeInteger} not null,
      least_completion {safeInteger} not null,
      most_completion {safeInteger} not null,
      least_elapsed {safeInteger} not null,
      most_elapsed {safeInteger} not null
    )`,
  `create table usage_daily (
      day {int} not null,
      user_id {int} not null,
      token_id {int} not null,
      channel_id {int} not null,
      model {text} not null,
      requests {safeInteger} not null,
      prompt_tokens {safeInteger} not null,
      completion_tokens {safeInteger} not null,
      amount {int8} not null,
      primary key (user_id, day, token_id, channel_id, model)
    ) {inKeyOrder}`,
  `create table usage_daily_model (
      day {int} not null,
      model {text} not null,
      channel_id {int} not null,
      requests {safeInteger} not null,
      prompt_tokens {safeInteger} not null,
      completion_tokens {safeInteger} not null,
      amount {int8} not null,
      primary key (day, model, channel_id)
    ) {inKeyOrder}`,
  `create table usage_daily_token (
      user_id {int} not null,
      token_id {int} not null,
      day {int} not null,
      requests {safeInteger} not null,
      prompt_tokens {safeInteger} not null,
      completion_tokens {safeInteger} not null,
      amount {int8} not null,
      primary key (user_id, token_id, day)
    ) {inKeyOrder}`,
  `create table usage_block_token (
      user_id {int} not null,
      token_id {int} not null,
      block {int} not null,
      amount {int8} not null,
      primary key (user_id, token_id, block)
    ) {inKeyOrder}`,
  `create table usage_session (
      token_id {int} not null,
      session {text} not null,
      user_id {int} not null,
      token_name {text} not null,
      client {text} not null,
      models {text} not null,
      first_at {safeInteger} not null,
      last_at {safeInteger} not null,
      calls {safeInteger} not null,
      amount {int8} not null,
      saved {int8} not null,
      prompt_tokens {safeInteger} not null,
      completion_tokens {safeInteger} not null,
      cached_prompt_tokens {safeInteger} not null,
      cache_write_5m_tokens {safeInteger} not null,
      cache_write_1h_tokens {safeInteger} not null,
      reasoning_tokens {safeInteger} not null,
      primary key (token_id, session)
    ) {inKeyOrder}`,
  `create index usage_session_last on usage_session (last_at, first_at, amount, user_id)`,
  `create index usage_session_user on usage_session (user_id, last_at, first_at, amount)`,
]
