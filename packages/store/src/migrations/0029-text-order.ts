import type { Migration } from '../migration.ts'

/** The order of text by its bytes, under the name that SQLite has for it: lists are sorted alike whatever language a database was made in. */
export const textOrder: Migration = {
  name: '0029-text-order',
  breaking: false,
  statements: (t) => (t.engine === 'postgres' ? [`create collation if not exists "binary" (locale = 'C')`] : []),
}
