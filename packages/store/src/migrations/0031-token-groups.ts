import type { Migration } from '../migration.ts'

/** The groups that serve a token, comma-separated, in the order in which they are tried; null: its owner's. */
export const tokenGroups: Migration = {
  name: '0031-token-groups',
  breaking: false,
  statements: (t) => [`alter table token add column groups ${t.text}`],
}
