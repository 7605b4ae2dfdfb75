import type { Migration } from '../migration.ts'

/** What administrators should know of: one row per kind and subject, however often it happened. */
export const alarms: Migration = {
  name: '0014-alarms',
  breaking: false,
  statements: (t) => [
    `create table alarm (
      id ${t.id},
      kind ${t.text} not null,
      subject ${t.text} not null,
      channel_id ${t.int} not null default 0,
      first_seen_ms ${t.safeInteger} not null,
      last_seen_ms ${t.safeInteger} not null,
      occurrences ${t.safeInteger} not null,
      dismissed_ms ${t.safeInteger} not null default 0,
      unique (kind, subject, channel_id)
    )`,
    `create index alarm_by_last_seen on alarm (last_seen_ms)`,
  ],
}
