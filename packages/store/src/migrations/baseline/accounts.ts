import type { ColumnTypes } from '../../column-types.ts'

/** People: how they sign in, the keys that they make, and what is mailed and given to them. */
export function accountTables(t: ColumnTypes): readonly string[] {
  return [
    // On SQLite texts have this order anyway: lists are sorted alike whatever language a database was made in.
    ...(t.engine === 'postgres' ? [`create collation if not exists "binary" (locale = 'C')`] : []),
    `create table "user" (
      id ${t.id},
      username ${t.text} not null,
      password_hash ${t.text} not null,
      display_name ${t.text} not null,
      role ${t.int} not null,
      status ${t.int} not null,
      email ${t.text} not null,
      group_name ${t.text} not null,
      aff_code ${t.text},
      created_time ${t.safeInteger} not null,
      access_token_hash ${t.text},
      inviter_id ${t.int} not null default 0,
      totp_sealed ${t.text},
      totp_last_step ${t.safeInteger} not null default 0
    )`,
    `create unique index user_by_username on "user" (username)`,
    `create unique index user_by_aff_code on "user" (aff_code)`,
    `create unique index user_by_access_token on "user" (access_token_hash)`,
    `create index user_by_email on "user" (lower(email))`,
    `create table session (
      id_hash ${t.text} primary key,
      user_id ${t.int} not null references "user" (id) on delete cascade,
      created_time ${t.safeInteger} not null,
      expires_time ${t.safeInteger} not null,
      user_agent ${t.text} not null default '',
      address ${t.text} not null default ''
    )`,
    `create index session_by_user on session (user_id)`,
    `create index session_by_expiry on session (expires_time)`,
    `create table token (
      id ${t.id},
      user_id ${t.int} not null references "user" (id),
      name ${t.text} not null,
      key_hash ${t.text} not null,
      key_sealed ${t.text} not null,
      status ${t.int} not null,
      created_time ${t.safeInteger} not null,
      expired_time ${t.safeInteger} not null,
      unlimited ${t.int} not null,
      models ${t.text},
      subnet ${t.text},
      rpm ${t.int} not null default 0,
      tpm ${t.int} not null default 0,
      concurrency ${t.int} not null default 0,
      groups ${t.text},
      session_quota ${t.int8} not null default 0,
      repeat_rpm ${t.int} not null default 0,
      quiet_hours ${t.text}
    )`,
    `create unique index token_by_key_hash on token (key_hash)`,
    `create index token_by_user on token (user_id, id)`,
    `create table recovery_code (
      user_id ${t.int} not null references "user" (id) on delete cascade,
      code_hash ${t.text} not null,
      primary key (user_id, code_hash)
    )`,
    `create table email_code (
      email ${t.text} primary key,
      code_sealed ${t.text} not null,
      attempts_left ${t.int} not null,
      expires_time ${t.safeInteger} not null
    )`,
    `create index email_code_by_expiry on email_code (expires_time)`,
    `create table password_reset (
      user_id ${t.int} primary key references "user" (id) on delete cascade,
      token_hash ${t.text} not null,
      expires_time ${t.safeInteger} not null
    )`,
    `create unique index password_reset_by_token on password_reset (token_hash)`,
    `create table ceremony (
      owner ${t.text} not null,
      action ${t.text} not null,
      content ${t.text} not null,
      expires_time ${t.safeInteger} not null,
      primary key (owner, action)
    )`,
    `create index ceremony_by_expiry on ceremony (expires_time)`,
    `create table passkey (
      id ${t.id},
      user_id ${t.int} not null references "user" (id) on delete cascade,
      name ${t.text} not null,
      credential_id ${t.text} not null,
      public_key ${t.text} not null,
      sign_count ${t.safeInteger} not null,
      transports ${t.text} not null,
      created_time ${t.safeInteger} not null,
      used_time ${t.safeInteger} not null
    )`,
    `create unique index passkey_by_credential on passkey (credential_id)`,
    `create index passkey_by_user on passkey (user_id, id)`,
    `create table identity (
      provider ${t.text} not null,
      issuer ${t.text} not null,
      subject ${t.text} not null,
      user_id ${t.int} not null references "user" (id),
      label ${t.text} not null,
      created_time ${t.safeInteger} not null,
      primary key (provider, issuer, subject)
    )`,
    `create unique index identity_by_user on identity (user_id, provider)`,
    `create table oauth_state (
      state_hash ${t.text} primary key,
      browser_hash ${t.text} not null,
      provider ${t.text} not null,
      user_id ${t.int} not null,
      aff_code ${t.text} not null,
      expires_ms ${t.safeInteger} not null
    )`,
    `create index oauth_state_by_expiry on oauth_state (expires_ms)`,
    `create table gift_receiver (digest ${t.text} primary key)`,
    `create table pending_gift (
      request_id ${t.text} primary key,
      kind ${t.text} not null,
      user_id ${t.int} not null,
      username ${t.text} not null,
      quota ${t.safeInteger} not null,
      content ${t.text} not null,
      awaits_user ${t.int} not null default 0
    )`,
    `create index pending_gift_by_awaited on pending_gift (awaits_user)`,
    `create table outbox (
      id ${t.id},
      kind ${t.text} not null,
      recipient ${t.text} not null,
      content_sealed ${t.text} not null,
      state ${t.text} not null,
      attempts ${t.int} not null,
      due_ms ${t.safeInteger} not null,
      expires_ms ${t.safeInteger} not null,
      lease ${t.text} not null,
      problem ${t.text} not null,
      created_ms ${t.safeInteger} not null,
      done_ms ${t.safeInteger} not null
    )`,
    `create index outbox_due on outbox (state, due_ms)`,
    `create table own_key (
      id ${t.id},
      user_id ${t.int} not null,
      vendor ${t.text} not null,
      label ${t.text} not null,
      key_sealed ${t.text} not null,
      fingerprint ${t.text} not null,
      falls_back ${t.int} not null,
      created_time ${t.safeInteger} not null
    )`,
    `create unique index own_key_by_user on own_key (user_id, vendor)`,
  ]
}
