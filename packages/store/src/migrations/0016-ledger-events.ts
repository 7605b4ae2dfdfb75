import type { Migration } from '../migration.ts'

/**
 * What the ledger notifies others of, written in the commit that caused it and removed by the replica that has dealt with it. The
 * mark that a user was reminded of a low balance moves to the account, where the same commit sets and clears it.
 */
export const ledgerEvents: Migration = {
  name: '0016-ledger-events',
  breaking: true,
  statements: (t) => [
    `create table ledger_event (
      id ${t.longId},
      kind ${t.text} not null,
      account ${t.int} not null,
      subject ${t.text} not null,
      amount ${t.int8} not null
    )`,
    `alter table account add column reminded ${t.int} not null default 0`,
    `update account set reminded = 1 where kind = 'user' and owner_id in (select user_id from quota_reminder)`,
    `drop table quota_reminder`,
  ],
}
