import type { Migration } from '../migration.ts'

/**
 * One row: an id by which this database is known again, where its data comes from when it was moved here, and where it went when it
 * was moved away; see `queries/database-move.ts`.
 */
export const databaseMove: Migration = {
  name: '0034-database-move',
  breaking: false,
  statements: (t) => [
    `create table database_move (
      id ${t.text} primary key,
      from_id ${t.text} not null default '',
      from_name ${t.text} not null default '',
      arrived_ms ${t.safeInteger} not null default 0,
      to_id ${t.text} not null default '',
      to_name ${t.text} not null default '',
      left_ms ${t.safeInteger} not null default 0
    )`,
    `insert into database_move (id) values (${
      t.engine === 'sqlite' ? 'lower(hex(randomblob(16)))' : `replace(gen_random_uuid()::text, '-', '')`
    })`,
  ],
}
