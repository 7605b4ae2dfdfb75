import type { Migration } from '../migration.ts'

/** What a token may request in a minute, and how much at once. 0 is unlimited. */
export const requestLimits: Migration = {
  name: '0021-request-limits',
  breaking: false,
  statements: (t) =>
    ['rpm', 'tpm', 'concurrency'].map((name) => `alter table token add column ${name} ${t.int} not null default 0`),
}
