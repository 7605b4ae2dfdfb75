import type { Migration } from '../migration.ts'

/** Mail that waits to be sent, who was reminded of a low balance, and accounts at other providers. */
export const messages: Migration = {
  name: '0004-messages',
  breaking: false,
  statements: (t) => [
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

    `create table quota_reminder (
      user_id ${t.int} primary key references "user" (id),
      reminded_ms ${t.safeInteger} not null
    )`,

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
  ],
}
