import type { Migration } from '../migration.ts'

/** What a replica says about itself, and the values by which a gateway recognises the requests that its doctor makes. */
export const doctor: Migration = {
  name: '0035-doctor',
  breaking: false,
  statements: (t) => [
    `alter table replica add column facts ${t.text} not null default ''`,
    `create table doctor_call (
      value_hash ${t.text} primary key,
      expires_ms ${t.safeInteger} not null
    )`,
  ],
}
