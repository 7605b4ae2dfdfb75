import type { Migration } from '../migration.ts'

/** The value of each field of an imported row at its source, so that a repeated import writes only what has changed there. */
export const importedFields: Migration = {
  name: '0040-imported-fields',
  breaking: false,
  statements: (t) => [`alter table imported add column fields ${t.text} not null default ''`],
}
