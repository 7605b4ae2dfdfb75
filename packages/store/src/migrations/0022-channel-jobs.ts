import type { Migration } from '../migration.ts'

/** Work on many channels that every replica sees, the latest calls, by which channels are switched off, and why they were. */
export const channelJobs: Migration = {
  name: '0022-channel-jobs',
  breaking: false,
  statements: (t) => [
    `alter table channel add column disabled_reason ${t.text} not null default ''`,
    `alter table channel add column disabled_ms ${t.safeInteger} not null default 0`,
    `alter table channel add column disabled_times ${t.int} not null default 0`,
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
  ],
}
