import type { ColumnTypes } from '../../column-types.ts'
import { importedUsageTriggers } from '../../rollup-triggers.ts'

/**
 * What the gateway itself needs: who did what, its replicas and jobs, what was brought from elsewhere, and answers that are fetched later.
 * `database_move` has one row: an id by which this database is known again, where its data comes from when it was moved here, and where
 * it went when it was moved away; see `queries/moves/database-move.ts`.
 */
export function upkeepTables(t: ColumnTypes): readonly string[] {
  return [
    `create table audit (
      seq ${t.int} primary key,
      call_id ${t.text} not null,
      begun_ms ${t.safeInteger} not null,
      actor_id ${t.int} not null,
      actor_name ${t.text} not null,
      actor_role ${t.int} not null,
      address ${t.text} not null,
      action ${t.text} not null,
      outcome ${t.text} not null,
      target_kind ${t.text} not null,
      target_id ${t.text} not null,
      before_values ${t.text} not null,
      after_values ${t.text} not null,
      previous_hash ${t.text} not null,
      hash ${t.text} not null
    )`,
    `create index audit_by_actor on audit (actor_name, seq)`,
    `create index audit_by_action on audit (action, seq)`,
    `create index audit_by_target on audit (target_kind, target_id, seq)`,
    `create index audit_by_time on audit (begun_ms)`,
    `create table audit_call (
      call_id ${t.text} primary key,
      begun_ms ${t.safeInteger} not null,
      entry ${t.text} not null
    )`,
    `create table audit_head (name ${t.text} primary key, head_sealed ${t.text} not null)`,
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
    `create table replica (
      id ${t.text} primary key,
      heartbeat_ms ${t.safeInteger} not null,
      started_ms ${t.safeInteger} not null,
      dead ${t.int} not null default 0,
      facts ${t.text} not null default ''
    )`,
    `create table lease (
      job ${t.text} primary key,
      owner ${t.text} not null,
      epoch ${t.int} not null,
      until_ms ${t.safeInteger} not null
    ) ${t.inKeyOrder}`,
    `create table job_run (
      id ${t.id},
      job ${t.text} not null,
      scope ${t.text} not null,
      started_by ${t.int} not null,
      epoch ${t.int} not null,
      begun_ms ${t.safeInteger} not null,
      ended_ms ${t.safeInteger} not null default 0,
      outcome ${t.text} not null,
      stop_asked ${t.int} not null default 0,
      total ${t.int} not null default 0,
      done ${t.int} not null default 0,
      failed ${t.int} not null default 0,
      disabled ${t.int} not null default 0,
      enabled ${t.int} not null default 0,
      failures ${t.text} not null default '[]'
    )`,
    `create index job_run_by_job on job_run (job, id)`,
    `create table import_run (
      id ${t.id},
      source ${t.text} not null,
      label ${t.text} not null,
      family ${t.text} not null,
      mode ${t.text} not null,
      epoch ${t.int} not null,
      started_by ${t.int} not null,
      begun_ms ${t.safeInteger} not null,
      ended_ms ${t.safeInteger} not null default 0,
      outcome ${t.text} not null,
      stop_asked ${t.int} not null default 0,
      stage ${t.text} not null default '',
      done ${t.safeInteger} not null default 0,
      total ${t.safeInteger} not null default 0,
      report ${t.text} not null default ''
    )`,
    `create table imported (
      source ${t.text} not null,
      kind ${t.text} not null,
      source_id ${t.safeInteger} not null,
      target_id ${t.int} not null,
      mark ${t.text} not null,
      digest ${t.text} not null,
      brought ${t.int8} not null default 0,
      step ${t.int} not null default 0,
      pending ${t.int8},
      used ${t.int8} not null default 0,
      requests ${t.safeInteger} not null default 0,
      primary key (source, kind, source_id)
    )`,
    `create index imported_by_target on imported (kind, target_id, source)`,
    `create index imported_pending on imported (source) where pending is not null`,
    `create table import_position (
      source ${t.text} primary key,
      sums_to ${t.safeInteger} not null default 0,
      requests ${t.safeInteger} not null default 0,
      amount ${t.int8} not null default 0,
      rows_to ${t.safeInteger} not null default 0
    )`,
    `create table imported_usage (
      user_id ${t.int} not null,
      day ${t.int} not null,
      token_id ${t.int} not null,
      channel_id ${t.int} not null,
      model ${t.text} not null,
      requests ${t.safeInteger} not null,
      prompt_tokens ${t.safeInteger} not null,
      completion_tokens ${t.safeInteger} not null,
      amount ${t.int8} not null,
      primary key (user_id, day, token_id, channel_id, model)
    )`,
    `create table kept_response (
      id ${t.text} primary key,
      user_id ${t.int} not null,
      channel_id ${t.int} not null,
      model ${t.text} not null,
      kept_ms ${t.safeInteger} not null,
      key_fingerprint ${t.text} not null default ''
    ) ${t.inKeyOrder}`,
    `create index kept_response_by_time on kept_response (kept_ms)`,
    `create table background_response (
      id ${t.text} primary key,
      user_id ${t.int} not null,
      status ${t.text} not null,
      response_sealed ${t.text} not null,
      bytes ${t.safeInteger} not null,
      provider_id ${t.text} not null default '',
      alive_ms ${t.safeInteger} not null,
      expires_ms ${t.safeInteger} not null
    )`,
    `create index background_response_by_user on background_response (user_id, expires_ms, bytes)`,
    `create index background_response_by_time on background_response (expires_ms)`,
    `create table running_call_wish (
      id ${t.text} primary key,
      replica ${t.text} not null,
      user_id ${t.int} not null,
      until_ms ${t.safeInteger} not null
    )`,
    `create table running_call_report (
      replica ${t.text} primary key,
      at_ms ${t.safeInteger} not null,
      calls ${t.text} not null
    )`,
    `create table doctor_call (value_hash ${t.text} primary key, expires_ms ${t.safeInteger} not null)`,
    `create table database_move (
      id ${t.text} primary key,
      from_id ${t.text} not null default '',
      from_name ${t.text} not null default '',
      arrived_ms ${t.safeInteger} not null default 0,
      to_id ${t.text} not null default '',
      to_name ${t.text} not null default '',
      left_ms ${t.safeInteger} not null default 0
    )`,
    `insert into database_move (id) values (${
      t.engine === 'sqlite' ? 'lower(hex(randomblob(16)))' : `replace(gen_random_uuid()::text, '-', '')`
    })`,
    ...importedUsageTriggers(t.engine),
    ...(t.engine === 'sqlite' ? recordLog(t) : []),
  ]
}

/** The id of this file, and the number of the record up to which all are in the tables; see `sqlite/record-log.ts`. */
function recordLog(t: ColumnTypes): readonly string[] {
  return [
    `create table record_log (id ${t.text} primary key, applied ${t.safeInteger} not null)`,
    `insert into record_log (id, applied) values (lower(hex(randomblob(16))), 0)`,
  ]
}
