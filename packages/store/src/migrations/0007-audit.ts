import type { Migration } from '../migration.ts'

/** What administrators did, as a chain of hashes. */
export const audit: Migration = {
  name: '0007-audit',
  breaking: false,
  statements: (t) => [
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
    `create table audit_head (
      name ${t.text} primary key,
      head_sealed ${t.text} not null
    )`,
  ],
}
