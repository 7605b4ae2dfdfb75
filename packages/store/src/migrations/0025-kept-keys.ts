import type { Migration } from '../migration.ts'

/** Which of its channel's keys a stored response was made with. */
export const keptKeys: Migration = {
  name: '0025-kept-keys',
  breaking: false,
  statements: (t) => [`alter table kept_response add column key_fingerprint ${t.text} not null default ''`],
}
