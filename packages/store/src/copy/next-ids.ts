import { sql } from 'kysely'
import type { RowSource } from './read-rows.ts'
import type { TableShape } from './table-shape.ts'

/** The highest id that a table has ever assigned; 0 if none. Ids are never reused, even after their rows are gone. */
export async function lastId({ db, engine }: RowSource, { table }: TableShape): Promise<number> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.seq ?? 0
  }
  const { rows: named } = await sql<{ name: string }>`
    select pg_get_serial_sequence(${`"${table}"`}, 'id') as name`.execute(db)
  const { rows } = await sql<{ last: bigint }>`
    select case when is_called then last_value else last_value - 1 end as last
    from ${sql.raw(named[0]?.name ?? '')}`.execute(db)
  return Number(rows[0]?.last ?? 0)
}

/** Makes a table assign ids above this one. */
export async function setLastId({ db, engine }: RowSource, { table }: TableShape, id: number): Promise<void> {
  if (engine === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${Math.max(id, 1)}, ${id > 0})`.execute(db)
    return
  }
  const { numAffectedRows } = await sql`update sqlite_sequence set seq = ${id} where name = ${table}`.execute(db)
  if (numAffectedRows === 0n && id > 0) {
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db)
  }
}
