import { Socket } from 'node:net'
import { Client, types } from 'pg'
import type { ForeignValue } from '../foreign-database.ts'
import {
  CONNECT_TIMEOUT_MS,
  GRACE_MS,
  limitBytes,
  type ServerDriver,
  type ServerSession,
  STATEMENT_TIMEOUT_MS,
} from '../server/session.ts'
import { type ColumnShape, integerOf, quoted } from '../source-engine.ts'
import { UNCHECKED_ENCODING } from './words.ts'

export const POSTGRES: ServerDriver = {
  kind: 'PostgreSQL server',
  /** By SQLSTATE. */
  problems: new Map([
    ['28P01', 'refuses this user or password'],
    ['28000', 'refuses this user, or a connection of this kind'],
    ['3D000', 'has no database of that name'],
    ['42501', 'does not allow this user to read its tables'],
    ['53300', 'has no connections left'],
    ['57014', 'took longer than 5 minutes for a statement'],
    ['57P01', 'was shut down'],
    ['57P03', 'is starting up or shutting down'],
  ]),
  connect,
}

/**
 * Set by statements, because poolers refuse startup parameters. Rows that a policy would hide are an error. Without bitmap scans
 * the index gives the order; otherwise a table without statistics would be sorted as a whole for each page.
 */
const SETTINGS = `
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex';
  set row_security = off; set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = 0;
  set standard_conforming_strings = on; set enable_bitmapscan = off`

/** Ordinary and partitioned tables that are visible in the search path. Older servers lack some of the flags. */
const CATALOGUE = `
  select c.relname, n.nspname, a.attname, coalesce(nullif(t.typbasetype, 0), t.oid)::int8
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid
  join pg_catalog.pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p') and pg_catalog.pg_table_is_visible(c.oid)
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_t%'
    and coalesce(to_jsonb(c) ->> 'relispartition', 'false') = 'false'
    and a.attnum > 0 and not a.attisdropped and coalesce(to_jsonb(a) ->> 'attgenerated', '') = ''
  order by c.relname, a.attnum limit 200000`

async function connect(url: string): Promise<ServerSession> {
  const socket = new Socket()
  const client = new Client({
    connectionString: url,
    application_name: 'sluice import',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + GRACE_MS,
    keepAlive: true,
    stream: () => socket,
    types: { getTypeParser: (id) => parserOf(id) },
  })
  const bytes = limitBytes(socket)
  // A failure between two statements is reported by the next one.
  client.on('error', () => {})
  const query = async (sql: string): Promise<ForeignValue[][]> => {
    bytes.restart()
    return (await client.query<ForeignValue[]>({ text: sql, rowMode: 'array' })).rows
  }
  await client.connect()
  await query(SETTINGS)
  const [[encoding] = []] = await query(`select pg_catalog.current_setting('server_encoding')`)
  // Otherwise the server fails at the first text that is not UTF-8, without saying where it is.
  if (encoding === UNCHECKED_ENCODING) await query(`set client_encoding = '${UNCHECKED_ENCODING}'`)
  let isOpen = false
  return {
    encoding: String(encoding),
    query,
    catalogue: async () =>
      (await query(CATALOGUE)).map(([table, schema, column, type]) => ({
        table: String(table),
        tableSql: `${quoted(String(schema))}.${quoted(String(table))}`,
        column: String(column),
        shape: shapeOf(Number(type)),
      })),
    begin: async () => {
      if (isOpen) await query('rollback')
      await query('begin transaction isolation level repeatable read, read only')
      isOpen = true
    },
  }
}

/** Type numbers, which the driver declares as an enum. */
const { INT2, INT4, INT8, FLOAT4, FLOAT8, BOOL, BYTEA, NUMERIC, UUID, DATE, TIME, TIMETZ, TIMESTAMP, TIMESTAMPTZ } =
  types.builtins as Readonly<Record<keyof typeof types.builtins, number>>
const INTEGERS: ReadonlySet<number> = new Set([INT2, INT4, INT8])
const SHORT: ReadonlySet<number> = new Set([
  BOOL,
  FLOAT4,
  FLOAT8,
  NUMERIC,
  UUID,
  DATE,
  TIME,
  TIMETZ,
  TIMESTAMP,
  TIMESTAMPTZ,
])

function shapeOf(type: number): ColumnShape {
  if (INTEGERS.has(type)) return 'integer'
  if (SHORT.has(type)) return 'fixed'
  return type === BYTEA ? 'bytes' : 'text'
}

/** A parser for types with a counterpart here; everything else stays the text that the server sends. */
function parserOf(type: number): (text: string) => ForeignValue {
  switch (type) {
    case INT2:
    case INT4:
    case INT8:
      return integerOf
    case FLOAT4:
    case FLOAT8:
      return Number
    case BOOL:
      return (text) => text === 't'
    case BYTEA:
      return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
    default:
      return (text) => text
  }
}
