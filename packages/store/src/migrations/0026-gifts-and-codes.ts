import type { Migration } from '../migration.ts'

/** Who has had a gift, which gifts wait for a charge, and which administrator changed a redemption code. */
export const giftsAndCodes: Migration = {
  name: '0026-gifts-and-codes',
  breaking: false,
  statements: (t) => [
    `create table gift_receiver (digest ${t.text} primary key)`,
    `alter table pending_gift add column awaits_user ${t.int} not null default 0`,
    `create index pending_gift_by_awaited on pending_gift (awaits_user)`,
    `alter table redemption add column altered_by ${t.int} not null default 0`,
  ],
}
