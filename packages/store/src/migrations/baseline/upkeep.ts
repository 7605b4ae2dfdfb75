/**
 * Upkeep of the gateway: the audit log, replicas and jobs, imports, and answers that are fetched later. `database_move` has one
 * row: an id that identifies this database, where its data came from if it was moved here, and where it went if it was moved away;
 * see `queries/moves/database-move.ts`.
 */
export const UPKEEP_TABLES: readonly string[] = [
  `create table audit (
      seq {int} primary key,
      call_id {text} not null,
      begun_ms {safeInteger} not null,
      actor_id {int} not null,
      actor_name {text} not null,
      actor_role {int} not null,
      address {text} not null,
      action {text} not null,
      outcome {text} not null,
      target_kind {text} not null,
      target_id {text} not null,
      before_values {text} not null,
      after_values {text} not null,
      previous_hash {text} not null,
      hash {text} not null
    )`,
  `create index audit_by_actor on audit (actor_name, seq)`,
  `create index audit_by_action on audit (action, seq)`,
  `create index audit_by_target on audit (target_kind, target_id, seq)`,
  `create index audit_by_time on audit (begun_ms)`,
  `create table audit_call (
      call_id {text} primary key,
      begun_ms {safeInteger} not null,
      entry {text} not null
    )`,
  `create table audit_head (name {text} primary key, head_sealed {text} not null)`,
  `create table alarm (
      id {id},
      kind {text} not null,
      subject {text} not null,
      channel_id {int} not null default 0,
      first_seen_ms {safeInteger} not null,
      last_seen_ms {safeInteger} not null,
      occurrences {safeInteger} not null,
      dismissed_ms {safeInteger} not null default 0,
      unique (kind, subject, channel_id)
    )`,
  `create index alarm_by_last_seen on alarm (last_seen_ms)`,
  `create table replica (
      id {text} primary key,
      heartbeat_ms {safeInteger} not null,
      started_ms {safeInteger} not null,
      dead {int} not null default 0,
      facts {text} not null default ''
    )`,
  `create table lease (
      job {text} primary key,
      owner {text} not null,
      epoch {int} not null,
      until_ms {safeInteger} not null
    ) {inKeyOrder}`,
  `create table job_run (
      id {id},
      job {text} not null,
      scope {text} not null,
      started_by {int} not null,
      epoch {int} not null,
      begun_ms {safeInteger} not null,
      ended_ms {safeInteger} not null default 0,
      outcome {text} not null,
      stop_asked {int} not null default 0,
      total {int} not null default 0,
      done {int} not null default 0,
      failed {int} not null default 0,
      disabled {int} not null default 0,
      enabled {int} not null default 0,
      failures {text} not null default '[]'
    )`,
  `create index job_run_by_job on job_run (job, id)`,
  `create table import_run (
      id {id},
      source {text} not null,
      label {text} not null,
      family {text} not null,
      mode {text} not null,
      epoch {int} not null,
      started_by {int} not null,
      begun_ms {safeInteger} not null,
      ended_ms {safeInteger} not null default 0,
      outcome {text} not null,
      stop_asked {int} not null default 0,
      stage {text} not null default '',
      done {safeInteger} not null default 0,
      total {safeInteger} not null default 0,
      report {text} not null default ''
    )`,
  `create table imported (
      source {text} not null,
      kind {text} not null,
      source_id {safeInteger} not null,
      target_id {int} not null,
      mark {text} not null,
      digest {text} not null,
      brought {int8} not null default 0,
      step {int} not null default 0,
      pending {int8},
      used {int8} not null default 0,
      requests {safeInteger} not null default 0,
      primary key (source, kind, source_id)
    )`,
  `create index imported_by_target on imported (kind, target_id, source)`,
  `create index imported_pending on imported (source) where pending is not null`,
  `create table import_position (
      source {text} primary key,
      sums_to {safeInteger} not null default 0,
      requests {safeInteger} not null default 0,
      amount {int8} not null default 0,
      rows_to {safeInteger} not null default 0
    )`,
  `create table imported_usage (
      user_id {int} not null,
      day {int} not null,
      token_id {int} not null,
      channel_id {int} not null,
      model {text} not null,
      requests {safeInteger} not null,
      prompt_tokens {safeInteger} not null,
      completion_tokens {safeInteger} not null,
      amount {int8} not null,
      primary key (user_id, day, token_id, channel_id, model)
    )`,
  `create table kept_response (
      id {text} primary key,
      user_id {int} not null,
      channel_id {int} not null,
      model {text} not null,
      kept_ms {safeInteger} not null,
      key_fingerprint {text} not null default ''
    ) {inKeyOrder}`,
  `create index kept_response_by_time on kept_response (kept_ms)`,
  `create table background_response (
      id {text} primary key,
      user_id {int} not null,
      status {text} not null,
      response_sealed {text} not null,
      bytes {safeInteger} not null,
      provider_id {text} not null default '',
      alive_ms {safeInteger} not null,
      expires_ms {safeInteger} not null
    )`,
  `create index background_response_by_user on background_response (user_id, expires_ms, bytes)`,
  `create index background_response_by_time on background_response (expires_ms)`,
  `create table running_call_wish (
      id {text} primary key,
      replica {text} not null,
      user_id {int} not null,
      until_ms {safeInteger} not null
    )`,
  `create table running_call_report (
      replica {text} primary key,
      at_ms {safeInteger} not null,
      calls {text} not null
    )`,
  `create table doctor_call (value_hash {text} primary key, expires_ms {safeInteger} not null)`,
  `create table database_move (
      id {text} primary key,
      from_id {text} not null default '',
      from_name {text} not null default '',
      arrived_ms {safeInteger} not null default 0,
      to_id {text} not null default '',
      to_name {text} not null default '',
      left_ms {safeInteger} not null default 0
    )`,
]
