import type { Migration } from '../migration.ts'

/** How the channels did, slot by slot. */
export const channelHistory: Migration = {
  name: '0024-channel-history',
  breaking: false,
  statements: (t) => [
    `create table channel_history (
      channel_id ${t.int} not null,
      span_s ${t.int} not null,
      start_s ${t.safeInteger} not null,
      answered ${t.safeInteger} not null,
      failed ${t.safeInteger} not null,
      primary key (channel_id, span_s, start_s)
    ) ${t.inKeyOrder}`,
    // Old slots are found by their age, whichever channel they belong to.
    `create index channel_history_age on channel_history (span_s, start_s)`,
  ],
}
