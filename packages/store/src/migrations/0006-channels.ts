import type { Migration } from '../migration.ts'

/** What was seen of channels: how their last tests went, and what is left at their providers. */
export const channels: Migration = {
  name: '0006-channels',
  breaking: false,
  statements: (t) => [
    `alter table channel add column recent_tests ${t.text} not null default ''`,
    `alter table channel add column balance_micros ${t.safeInteger} not null default 0`,
    `alter table channel add column balance_currency ${t.text} not null default ''`,
    `alter table channel add column balance_time ${t.safeInteger} not null default 0`,
  ],
}
