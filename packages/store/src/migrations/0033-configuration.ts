import type { Migration } from '../migration.ts'

/** What a configuration file owns, and which revision of the file was applied last. */
export const configuration: Migration = {
  name: '0033-configuration',
  breaking: false,
  statements: (t) => [
    `create table configuration_owner (
      owner ${t.text} primary key,
      revision ${t.safeInteger} not null,
      digest ${t.text} not null,
      applied_ms ${t.safeInteger} not null
    )`,
    `create table configuration_item (
      kind ${t.text} not null,
      name ${t.text} not null,
      owner ${t.text} not null,
      channel_id ${t.int} not null,
      states_status ${t.int} not null,
      digest ${t.text} not null,
      primary key (kind, name)
    )`,
    `create index configuration_item_by_channel on configuration_item (channel_id)`,
  ],
}
