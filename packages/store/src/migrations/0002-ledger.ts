import type { Migration } from '../migration.ts'

/**
 * Money, and what is written in the same commit: log, trace, daily sums. Written by the ledger alone. No foreign keys from
 * the tables that grow with every request: `sluice ledger verify` proves what they would, without their cost per row.
 */
export const ledger: Migration = {
  name: '0002-ledger',
  breaking: false,
  statements: (t) => [
    `create table account (
      id ${t.id},
      kind ${t.text} not null,
      owner_id ${t.int} not null,
      posted ${t.int8} not null default 0,
      held ${t.int8} not null default 0 check (held >= 0),
      spent ${t.int8} not null default 0,
      requests ${t.safeInteger} not null default 0,
      credit_floor ${t.int8} not null default 0,
      unlimited ${t.int} not null default 0,
      last_ms ${t.safeInteger} not null default 0
    )`,
    `create unique index account_owner on account (kind, owner_id)`,

    `create table hold (
      request_id ${t.text} primary key,
      account ${t.int} not null references account (id),
      limit_account ${t.int} not null references account (id),
      amount ${t.int8} not null check (amount >= 0),
      progress ${t.text},
      replica ${t.text} not null,
      opened_ms ${t.safeInteger} not null,
      touched_ms ${t.safeInteger} not null
    ) ${t.inKeyOrder}`,

    `create table price (
      id ${t.id},
      content ${t.text} not null,
      input ${t.int8} not null,
      cached_input ${t.int8} not null,
      cache_write_5m ${t.int8} not null,
      cache_write_1h ${t.int8} not null,
      output ${t.int8} not null,
      group_ratio ${t.int8} not null,
      source ${t.text} not null
    )`,
    `create unique index price_content on price (content)`,

    `create table transfer (
      request_id ${t.text} not null,
      kind ${t.text} not null,
      debit ${t.int},
      credit ${t.int},
      limit_account ${t.int},
      amount ${t.int8} not null check (amount >= 0 or kind = 'limit-set'),
      price_id ${t.int},
      input_tokens ${t.safeInteger} not null,
      cached_tokens ${t.safeInteger} not null,
      cache_write_5m_tokens ${t.safeInteger} not null,
      cache_write_1h_tokens ${t.safeInteger} not null,
      output_tokens ${t.safeInteger} not null,
      channel_id ${t.int} not null,
      model ${t.text} not null,
      actor ${t.int} not null,
      reason ${t.text} not null,
      at_ms ${t.safeInteger} not null,
      primary key (request_id, kind)
    ) ${t.inKeyOrder}`,

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
      primary key (day, user_id, token_id, channel_id, model)
    )`,
    `create index usage_daily_user on usage_daily (user_id, day)`,
    `create index usage_daily_channel on usage_daily (channel_id, day)`,

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
      content ${t.text} not null
    )`,
    `create index log_created on log (created_at)`,
    `create index log_user on log (user_id, created_at)`,
    `create index log_channel on log (channel_id, created_at)`,
    `create index log_request on log (request_id)`,

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
      attempts ${t.text} not null
    ) ${t.inKeyOrder}`,

    `create table replica (
      id ${t.text} primary key,
      heartbeat_ms ${t.safeInteger} not null,
      started_ms ${t.safeInteger} not null,
      dead ${t.int} not null default 0
    )`,
  ],
}
