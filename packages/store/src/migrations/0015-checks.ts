import type { Migration } from '../migration.ts'

/** Leases of jobs, and what proofs of the ledger found. */
export const checks: Migration = {
  name: '0015-checks',
  breaking: false,
  statements: (t) => [
    `create table lease (
      job ${t.text} primary key,
      owner ${t.text} not null,
      epoch ${t.int} not null,
      until_ms ${t.safeInteger} not null
    ) ${t.inKeyOrder}`,
    `create table ledger_check (
      id ${t.id},
      mode ${t.text} not null,
      started_by ${t.int} not null,
      epoch ${t.int} not null,
      begun_ms ${t.safeInteger} not null,
      ended_ms ${t.safeInteger} not null default 0,
      outcome ${t.text} not null,
      since_id ${t.text} not null,
      bound ${t.text} not null default ''
    )`,
    `create table ledger_check_result (
      check_id ${t.int} not null references ledger_check (id) on delete cascade,
      invariant ${t.text} not null,
      place ${t.int} not null,
      statement ${t.text} not null,
      checked ${t.safeInteger} not null,
      elapsed_ms ${t.safeInteger} not null,
      recounted ${t.int} not null,
      first_wrong ${t.text},
      primary key (check_id, invariant)
    ) ${t.inKeyOrder}`,
    `create table account_checkpoint (
      check_id ${t.int} not null,
      account ${t.int} not null,
      posted ${t.int8} not null,
      spent ${t.int8} not null,
      requests ${t.safeInteger} not null,
      primary key (check_id, account)
    ) ${t.inKeyOrder}`,
  ],
}
