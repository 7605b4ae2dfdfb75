import { type Kysely, sql } from 'kysely'
import type { Engine } from '../column-types.ts'
import type { Schema } from '../schema/schema.ts'

/** `type`, as declared: `integer`, `int8` or `text` on SQLite; `integer`, `double precision`, `bigint` or `text` on PostgreSQL. */
export interface Column {
  readonly name: string
  readonly type: string
  /** 64 bits, which a number may not hold exactly: money, but not ids. */
  readonly isWide: boolean
}

/** A table's shape as copying needs it. Both engines describe the same table alike, apart from the types. */
export interface TableShape {
  readonly table: string
  /** Columns of the primary key, in its order. */
  readonly key: readonly Column[]
  /** All columns: those of the key, then the others by name. */
  readonly columns: readonly Column[]
  /** Columns of the other unique indexes. */
  readonly uniques: readonly (readonly string[])[]
  /** Tables that it refers to. */
  readonly parents: readonly string[]
  /** True when the database numbers the rows, in the column `id`. */
  readonly isNumbered: boolean
  /** True when triggers maintain sums of its rows. */
  readonly hasTriggers: boolean
}

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Its position in the primary key, from 1; 0 when it is not part of it. */
  readonly place: number
  readonly numbered: number
}

/** Every table of a database by its name. A partitioned table is one table. */
export async function readShapes(db: Kysely<Schema>, engine: Engine): Promise<ReadonlyMap<string, TableShape>> {
  const read = engine === 'sqlite' ? SQLITE : POSTGRES
  const { rows: columns } = await sql.raw<ColumnRow>(read.columns).execute(db)
  const { rows: uniques } = await sql.raw<{ table: string; columns: string }>(read.uniques).execute(db)
  const { rows: parents } = await sql.raw<{ table: string; parent: string }>(read.parents).execute(db)
  const { rows: triggers } = await sql.raw<{ table: string }>(read.triggers).execute(db)
  const shapes = new Map<string, TableShape>()
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    const inKey = own.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place)
    const others = own.filter(({ place }) => place === 0).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    shapes.set(table, {
      table,
      key: inKey.map(columnOf),
      columns: [...inKey, ...others].map(columnOf),
      uniques: uniques.flatMap((unique) => (unique.table === table ? [unique.columns.split(',').toSorted()] : [])),
      parents: parents.flatMap((reference) => (reference.table === table ? [reference.parent] : [])),
      isNumbered: own.some(({ numbered }) => numbered === 1),
      hasTriggers: triggers.some((trigger) => trigger.table === table),
    })
  }
  return shapes
}

function columnOf({ name, type: declared, numbered }: ColumnRow): Column {
  const type = declared.toLowerCase()
  return { name, type, isWide: type === 'int8' || (type === 'bigint' && numbered === 0) }
}

const SQLITE = {
  columns: `select t.name as "table", c.name, c.type, c.pk as place,
      case when c.pk = 1 and t.sql like '%autoincrement%' then 1 else 0 end as numbered
    from sqlite_schema t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'`,
  uniques: `select t.name as "table", group_concat(c.name) as columns
    from sqlite_schema t join pragma_index_list(t.name) i join pragma_index_info(i.name) c
    where t.type = 'table' and i."unique" = 1 and i.origin <> 'pk'
    group by t.name, i.name order by t.name, i.name`,
  parents: `select distinct t.name as "table", f."table" as parent
    from sqlite_schema t join pragma_foreign_key_list(t.name) f where t.type = 'table'`,
  triggers: `select distinct tbl_name as "table" from sqlite_schema where type = 'trigger'`,
}

const OF_SCHEMA = `relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition`

const POSTGRES = {
  columns: `select t.relname as "table", c.attname as name, format_type(c.atttypid, c.atttypmod) as type,
      coalesce(array_position(k.indkey::int2[], c.attnum) + 1, 0) as place,
      case when c.attidentity <> '' then 1 else 0 end as numbered
    from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    left join pg_index k on k.indrelid = t.oid and k.indisprimary
    where t.${OF_SCHEMA}`,
  uniques: `select t.relname as "table", string_agg(c.attname, ',') as columns
    from pg_class t
    join pg_index i on i.indrelid = t.oid and i.indisunique and not i.indisprimary
    join pg_attribute c on c.attrelid = t.oid and c.attnum = any(i.indkey)
    where t.${OF_SCHEMA}
    group by t.relname, i.indexrelid order by t.relname, i.indexrelid`,
  parents: `select distinct t.relname as "table", p.relname as parent
    from pg_class t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f' join pg_class p on p.oid = f.confrelid
    where t.${OF_SCHEMA}`,
  triggers: `select distinct t.relname as "table" from pg_class t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    where t.${OF_SCHEMA}`,
}
