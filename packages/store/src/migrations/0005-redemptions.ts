import type { Migration } from '../migration.ts'

/** Codes that pay quota once, and quota that other programs reserve and charge with an API key. */
export const redemptions: Migration = {
  name: '0005-redemptions',
  breaking: false,
  statements: (t) => [
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
      deleted_time ${t.safeInteger} not null default 0
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
  ],
}
