import type { ColumnTypes } from '../../column-types.ts'

/** Providers, how they were lately, the settings, and the counters that tell replicas to load them again. */
export function channelTables(t: ColumnTypes): readonly string[] {
  return [
    `create table channel (
      id ${t.id},
      name ${t.text} not null,
      type ${t.int} not null,
      key_sealed ${t.text} not null,
      base_url ${t.text} not null,
      other ${t.text} not null,
      models ${t.text} not null,
      model_mapping ${t.text},
      model_configs ${t.text},
      system_prompt ${t.text},
      group_names ${t.text} not null,
      priority ${t.int} not null,
      weight ${t.int} not null,
      ratelimit ${t.int} not null,
      status ${t.int} not null,
      response_time ${t.int} not null,
      test_time ${t.safeInteger} not null,
      testing_model ${t.text},
      created_time ${t.safeInteger} not null,
      inference_profile_arn_map ${t.text},
      config ${t.text} not null,
      recent_tests ${t.text} not null default '',
      balance_micros ${t.safeInteger} not null default 0,
      balance_currency ${t.text} not null default '',
      balance_time ${t.safeInteger} not null default 0,
      key_count ${t.int} not null default 0,
      disabled_reason ${t.text} not null default '',
      disabled_ms ${t.safeInteger} not null default 0,
      disabled_times ${t.int} not null default 0
    )`,
    `create table channel_key (
      channel_id ${t.int} not null,
      fingerprint ${t.text} not null,
      status ${t.int} not null,
      reason ${t.text} not null default '',
      since_ms ${t.safeInteger} not null,
      primary key (channel_id, fingerprint)
    )`,
    `create table channel_minute (
      channel_id ${t.int} not null,
      minute ${t.int} not null,
      calls ${t.int} not null,
      failed ${t.int} not null,
      caller ${t.int} not null,
      primary key (channel_id, minute)
    ) ${t.inKeyOrder}`,
    `create table channel_minute_failure (
      channel_id ${t.int} not null,
      minute ${t.int} not null,
      user_id ${t.int} not null,
      failed ${t.int} not null,
      primary key (channel_id, minute, user_id)
    ) ${t.inKeyOrder}`,
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
    `create table channel_history (
      channel_id ${t.int} not null,
      span_s ${t.int} not null,
      start_s ${t.safeInteger} not null,
      answered ${t.safeInteger} not null,
      failed ${t.safeInteger} not null,
      primary key (channel_id, span_s, start_s)
    ) ${t.inKeyOrder}`,
    `create index channel_history_age on channel_history (span_s, start_s)`,
    `create table "option" ("key" ${t.text} primary key, value ${t.text} not null)`,
    `create table snapshot_version (name ${t.text} primary key, version ${t.safeInteger} not null)`,
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
    `insert into snapshot_version (name, version) values ('users', 1), ('tokens', 1), ('channels', 1), ('options', 1)`,
  ]
}
