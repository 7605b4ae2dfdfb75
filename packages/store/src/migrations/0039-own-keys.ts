import type { Migration } from '../migration.ts'

/** Keys of providers that users have stored for their own calls: one for each vendor. */
export const ownKeys: Migration = {
  name: '0039-own-keys',
  breaking: false,
  statements: (t) => [
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
  ],
}
