import type { Migration } from '../migration.ts'

/**
 * What replicas tell each other about calls that run, and what a token guards against: a dear session, a loop of one body, hours in
 * which nothing should run.
 */
export const runningCalls: Migration = {
  name: '0038-running-calls',
  breaking: false,
  statements: (t) => [
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
    `alter table token add column session_quota ${t.int8} not null default 0`,
    `alter table token add column repeat_rpm ${t.int} not null default 0`,
    `alter table token add column quiet_hours ${t.text}`,
    `create table token_pause (
      token_id ${t.int} not null,
      rule ${t.text} not null,
      subject ${t.text} not null,
      spent ${t.int8} not null default 0,
      allowance ${t.int8} not null default 0,
      paused_ms ${t.safeInteger} not null default 0,
      until_ms ${t.safeInteger} not null default 0,
      used_ms ${t.safeInteger} not null,
      primary key (token_id, rule, subject)
    )`,
    `create index token_pause_by_use on token_pause (used_ms)`,
  ],
}
