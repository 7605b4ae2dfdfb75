import type { Migration } from '../migration.ts'

/**
 * What an account may spend in a day, a week or a month. `account.budgeted` tells the ledger whether there is anything to look
 * up, so accounts without a budget cost nothing.
 */
export const budgets: Migration = {
  name: '0013-budgets',
  breaking: false,
  statements: (t) => [
    `alter table account add column budgeted ${t.int} not null default 0`,
    `create table budget (
      account ${t.int} not null references account (id),
      period ${t.text} not null,
      amount ${t.int8} not null check (amount >= 0),
      window_start_ms ${t.safeInteger} not null,
      spent ${t.int8} not null,
      primary key (account, period)
    )`,
  ],
}
