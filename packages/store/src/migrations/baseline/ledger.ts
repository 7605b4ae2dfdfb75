import type { ColumnTypes } from '../../column-types.ts'

/** Money: accounts, holds and movements, what limits and pays them, and the proofs that they hold. */
export function ledgerTables(t: ColumnTypes): readonly string[] {
  return [
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
      last_ms ${t.safeInteger} not null default 0,
      budgeted ${t.int} not null default 0,
      reminded ${t.int} not null default 0
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
      source ${t.text} not null,
      units ${t.text}
    )`,
    `create unique index price_content on price (content)`,
    ...transferTable(t),
    `create index transfer_by_referred on transfer (refers_to) where refers_to is not null`,
    `create table budget (
      account ${t.int} not null references account (id),
      period ${t.text} not null,
      amount ${t.int8} not null check (amount >= 0),
      window_start_ms ${t.safeInteger} not null,
      spent ${t.int8} not null,
      primary key (account, period)
    )`,
    `create table redemption (
      id ${t.id},
      name ${t.text} not null,
      key_hash ${t.text} not null,
      key_sealed ${t.text} not null,
      status ${t.int} not null,
      amount ${t.int8} not null check (amount >= 0),
      created_by ${t.int} not null,
      created_time ${t.safeInteger} not null,
      redeemed_by ${t.int} not null default 0,
      redeemed_ms ${t.safeInteger} not null default 0,
      deleted_time ${t.safeInteger} not null default 0,
      altered_by ${t.int} not null default 0,
      used_before ${t.int} not null default 0,
      expired_time ${t.safeInteger} not null default 0
    )`,
    `create unique index redemption_by_key_hash on redemption (key_hash)`,
    `create index redemption_by_redeemer on redemption (redeemed_by)`,
    `create table token_transaction (
      id ${t.id},
      token_id ${t.int} not null,
      transaction_id ${t.text} not null,
      user_id ${t.int} not null,
      status ${t.int} not null,
      pre_quota ${t.safeInteger} not null,
      final_quota ${t.safeInteger},
      reason ${t.text} not null,
      request_id ${t.text} not null,
      expires_time ${t.safeInteger} not null,
      created_time ${t.safeInteger} not null,
      finished_time ${t.safeInteger} not null default 0,
      settled ${t.int} not null default 0,
      elapsed_ms ${t.safeInteger} not null default 0
    )`,
    `create unique index token_transaction_name on token_transaction (token_id, transaction_id)`,
    `create index token_transaction_by_token on token_transaction (token_id, id)`,
    `create index token_transaction_unsettled on token_transaction (settled, expires_time)`,
    `create table token_pause (
      token_id ${t.int} not null,
      rule ${t.text} not null,
      subject ${t.text} not null,
      spent ${t.int8} not null default 0,
      allowance ${t.int8} not null default 0,
      paused_ms ${t.safeInteger} not null default 0,
      until_ms ${t.safeInteger} not null default 0,
      used_ms ${t.safeInteger} not null,
      primary key (token_id, rule, subject)
    )`,
    `create index token_pause_by_use on token_pause (used_ms)`,
    `create table ledger_check (
      id ${t.id},
      mode ${t.text} not null,
      started_by ${t.int} not null,
      epoch ${t.int} not null,
      begun_ms ${t.safeInteger} not null,
      ended_ms ${t.safeInteger} not null default 0,
      outcome ${t.text} not null,
      since_id ${t.text} not null,
      bound ${t.text} not null default ''
    )`,
    `create table ledger_check_result (
      check_id ${t.int} not null references ledger_check (id) on delete cascade,
      invariant ${t.text} not null,
      place ${t.int} not null,
      statement ${t.text} not null,
      checked ${t.safeInteger} not null,
      elapsed_ms ${t.safeInteger} not null,
      recounted ${t.int} not null,
      first_wrong ${t.text},
      primary key (check_id, invariant)
    ) ${t.inKeyOrder}`,
    `create table account_checkpoint (
      check_id ${t.int} not null,
      account ${t.int} not null,
      posted ${t.int8} not null,
      spent ${t.int8} not null,
      requests ${t.safeInteger} not null,
      primary key (check_id, account)
    ) ${t.inKeyOrder}`,
    `create table ledger_event (
      id ${t.longId},
      kind ${t.text} not null,
      account ${t.int} not null,
      subject ${t.text} not null,
      amount ${t.int8} not null
    )`,
  ]
}

/**
 * The table that grows without limit. On PostgreSQL it is kept in one part per month of its ids. A UUIDv7 begins with its time, so a
 * look-up by id, or from an id on, touches only the months it is in, and the unique key still holds for all of it. Ids of another
 * form, and those of a month without a part, are in `transfer_other`; nothing is ever refused. The months ahead are added by
 * `postgres/transfer-months.ts`. Texts compare by byte (`collate "C"`), as the time in an id does.
 */
function transferTable(t: ColumnTypes): readonly string[] {
  const isPartitioned = t.engine === 'postgres'
  return [
    `create table transfer (
      request_id ${t.text}${isPartitioned ? ' collate "C"' : ''} not null,
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
      other_prompt_tokens ${t.safeInteger} not null default 0,
      other_output_tokens ${t.safeInteger} not null default 0,
      units ${t.text},
      refers_to ${t.text},
      primary key (request_id, kind)
    ) ${isPartitioned ? 'partition by range (request_id)' : t.inKeyOrder}`,
    ...(isPartitioned ? ['create table transfer_other partition of transfer default'] : []),
  ]
}
