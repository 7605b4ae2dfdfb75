/** Channels, their recent health, the settings, and the counters that tell replicas to reload them. */
export const CHANNEL_TABLES: readonly string[] = [
  `create table channel (
      id {id},
      name {text} not null,
      type {int} not null,
      key_sealed {text} not null,
      base_url {text} not null,
      other {text} not null,
      models {text} not null,
      model_mapping {text},
      model_configs {text},
      system_prompt {text},
      group_names {text} not null,
      priority {int} not null,
      weight {int} not null,
      ratelimit {int} not null,
      status {int} not null,
      response_time {int} not null,
      test_time {safeInteger} not null,
      testing_model {text},
      created_time {safeInteger} not null,
      inference_profile_arn_map {text},
      config {text} not null,
      recent_tests {text} not null default '',
      balance_micros {safeInteger} not null default 0,
      balance_currency {text} not null default '',
      balance_time {safeInteger} not null default 0,
      key_count {int} not null default 0,
      disabled_reason {text} not null default '',
      disabled_ms {safeInteger} not null default 0,
      disabled_times {int} not null default 0
    )`,
  `create table channel_key (
      channel_id {int} not null,
      fingerprint {text} not null,
      status {int} not null,
      reason {text} not null default '',
      since_ms {safeInteger} not null,
      primary key (channel_id, fingerprint)
    )`,
  `create table channel_minute (
      channel_id {int} not null,
      minute {int} not null,
      calls {int} not null,
      failed {int} not null,
      caller {int} not null,
      primary key (channel_id, minute)
    ) {inKeyOrder}`,
  `create table channel_minute_failure (
      channel_id {int} not null,
      minute {int} not null,
      user_id {int} not null,
      failed {int} not null,
      primary key (channel_id, minute, user_id)
    ) {inKeyOrder}`,
  `create table channel_rest (
      replica {text} not null,
      number {safeInteger} not null,
      channel_id {int} not null,
      key {text} not null,
      model {text} not null,
      cause {text} not null,
      at_ms {safeInteger} not null,
      until_ms {safeInteger} not null,
      primary key (replica, number)
    )`,
  `create index channel_rest_by_time on channel_rest (at_ms)`,
  `create table channel_history (
      channel_id {int} not null,
      span_s {int} not null,
      start_s {safeInteger} not null,
      answered {safeInteger} not null,
      failed {safeInteger} not null,
      primary key (channel_id, span_s, start_s)
    ) {inKeyOrder}`,
  `create index channel_history_age on channel_history (span_s, start_s)`,
  `create table "option" ("key" {text} primary key, value {text} not null)`,
  `create table snapshot_version (name {text} primary key, version {safeInteger} not null)`,
  `create table configuration_owner (
      owner {text} primary key,
      revision {safeInteger} not null,
      digest {text} not null,
      applied_ms {safeInteger} not null
    )`,
  `create table configuration_item (
      kind {text} not null,
      name {text} not null,
      owner {text} not null,
      channel_id {int} not null,
      states_status {int} not null,
      digest {text} not null,
      primary key (kind, name)
    )`,
  `create index configuration_item_by_channel on configuration_item (channel_id)`,
  `insert into snapshot_version (name, version) values ('users', 1), ('tokens', 1), ('channels', 1), ('options', 1)`,
]
