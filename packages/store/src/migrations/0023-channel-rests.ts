import type { Migration } from '../migration.ts'

/** What replicas tell each other about channels in cooldown. */
export const channelRests: Migration = {
  name: '0023-channel-rests',
  breaking: false,
  statements: (t) => [
    `create table channel_rest (
      replica ${t.text} not null,
      number ${t.safeInteger} not null,
      channel_id ${t.int} not null,
      key ${t.text} not null,
      model ${t.text} not null,
      cause ${t.text} not null,
      at_ms ${t.safeInteger} not null,
      until_ms ${t.safeInteger} not null,
      primary key (replica, number)
    )`,
    `create index channel_rest_by_time on channel_rest (at_ms)`,
  ],
}
