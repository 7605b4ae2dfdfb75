import type { Migration } from '../migration.ts'
import { importedUsageTriggers } from '../rollup-triggers.ts'

/** What was brought from other gateways, how far an import has come, and what was used before the move. */
export const imports: Migration = {
  name: '0032-imports',
  breaking: false,
  statements: (t) => [
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
    `create index imported_by_target on imported (kind, target_id)`,
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
    ...importedUsageTriggers(t.engine),
    `alter table redemption add column used_before ${t.int} not null default 0`,
    `alter table redemption add column expired_time ${t.safeInteger} not null default 0`,
  ],
}
