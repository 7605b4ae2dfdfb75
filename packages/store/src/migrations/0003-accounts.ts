import type { Migration } from '../migration.ts'

/** What an account can prove itself with besides its password, and what is on its way to it. */
export const accounts: Migration = {
  name: '0003-accounts',
  breaking: false,
  statements: (t) => [
    `alter table "user" add column access_token_hash ${t.text}`,
    `alter table "user" add column inviter_id ${t.int} not null default 0`,
    `alter table "user" add column totp_sealed ${t.text}`,
    `alter table "user" add column totp_last_step ${t.safeInteger} not null default 0`,
    `create unique index user_by_access_token on "user" (access_token_hash)`,

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

    `create table pending_gift (
      request_id ${t.text} primary key,
      kind ${t.text} not null,
      user_id ${t.int} not null,
      username ${t.text} not null,
      quota ${t.safeInteger} not null,
      content ${t.text} not null
    )`,
  ],
}
