import type { Migration } from '../migration.ts'

/** Why a request was routed as it was, and channels with several keys. */
export const routing: Migration = {
  name: '0020-routing',
  breaking: false,
  statements: (t) => [
    `alter table trace add column routing ${t.text} not null default ''`,
    `alter table channel add column key_count ${t.int} not null default 0`,
    `create table channel_key (
      channel_id ${t.int} not null,
      fingerprint ${t.text} not null,
      status ${t.int} not null,
      reason ${t.text} not null default '',
      since_ms ${t.safeInteger} not null,
      primary key (channel_id, fingerprint)
    )`,
  ],
}
