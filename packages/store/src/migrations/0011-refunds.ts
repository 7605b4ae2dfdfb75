import type { Migration } from '../migration.ts'

/** Refunds by administrators: movements of their own that name the request they give back. Nearly every row names none. */
export const refunds: Migration = {
  name: '0011-refunds',
  breaking: false,
  statements: (t) => [
    `alter table transfer add column refers_to ${t.text}`,
    `create index transfer_by_referred on transfer (refers_to) where refers_to is not null`,
  ],
}
