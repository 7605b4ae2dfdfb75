import type { Migration } from '../migration.ts'

/**
 * SQLite only: the id by which the record log next to the file belongs to this database, and the number of the record up to which
 * all are in the tables.
 */
export const recordLog: Migration = {
  name: '0030-record-log',
  breaking: false,
  statements: (t) =>
    t.engine === 'postgres'
      ? []
      : [
          `create table record_log (id ${t.text} primary key, applied ${t.safeInteger} not null)`,
          `insert into record_log (id, applied) values (lower(hex(randomblob(16))), 0)`,
        ],
}
