import { connect as connectSocket } from 'node:net'
import type { Connection, FieldPacket } from 'mysql2'
import { textDecoder } from '../decode-text.ts'
import { ForeignTrouble, type ForeignValue } from '../foreign-database.ts'
import {
  CONNECT_TIMEOUT_MS,
  GRACE_MS,
  limitBytes,
  type ServerDriver,
  type ServerSession,
  STATEMENT_TIMEOUT_MS,
} from '../server/session.ts'
import { type ColumnShape, integerOf, quoted } from '../source-engine.ts'
import { mysqlAddress } from './address.ts'

export const MYSQL: ServerDriver = {
  kind: 'MySQL server',
  problems: new Map([
    ['ER_ACCESS_DENIED_ERROR', 'refuses this user or password'],
    ['ER_DBACCESS_DENIED_ERROR', 'does not let this user use the database'],
    ['ER_TABLEACCESS_DENIED_ERROR', 'does not allow this user to read its tables'],
    ['ER_BAD_DB_ERROR', 'has no database of that name'],
    ['ER_CON_COUNT_ERROR', 'has no connections left'],
    ['ER_HOST_NOT_PRIVILEGED', 'does not accept connections from here'],
    ['ER_QUERY_TIMEOUT', 'took longer than 5 minutes for a statement'],
    ['ER_STATEMENT_TIMEOUT', 'took longer than 5 minutes for a statement'],
    ['ER_SECURE_TRANSPORT_REQUIRED', 'requires TLS: add ?tls=true to its address'],
    ['ER_NOT_SUPPORTED_AUTH_MODE', 'requires a kind of sign-in that is not supported'],
    ['AUTH_SWITCH_PLUGIN_ERROR', 'requires a kind of sign-in that is not supported'],
    ['HANDSHAKE_NO_SSL_SUPPORT', 'does not offer TLS'],
    ['HANDSHAKE_SSL_ERROR', 'has a TLS certificate that is not trusted here'],
    ['PROTOCOL_CONNECTION_LOST', 'closed the connection'],
  ]),
  connect,
}

/** Names in standard SQL quotes, texts in UTF-8, times in UTC. */
const SETTINGS = [
  `set session sql_mode = 'ANSI_QUOTES'`,
  'set names utf8mb4',
  `set session time_zone = '+00:00'`,
  'set session transaction isolation level repeatable read',
]
/** MySQL's name for the time-out, in ms, and MariaDB's, in seconds. Each server knows one of them. */
const TIME_LIMITS = [
  `set session max_execution_time = ${STATEMENT_TIMEOUT_MS}`,
  `set session max_statement_time = ${STATEMENT_TIMEOUT_MS / 1000}`,
]

/** Leaves out storage engines that read from elsewhere. */
const CATALOGUE = `
  select c.table_name, c.column_name, c.data_type
  from information_schema.tables t
  join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
  where t.table_schema = database() and t.table_type = 'BASE TABLE'
    and upper(coalesce(t.engine, '')) not in ('FEDERATED', 'CONNECT', 'SPIDER', 'S3', 'SPHINX', 'OQGRAPH', 'CSV')
    and lower(c.extra) not regexp '^(virtual|stored|persistent)'
  order by c.table_name, c.ordinal_position limit 200000`

const SHAPES: ReadonlyMap<string, ColumnShape> = new Map([
  ...['tinyint', 'smallint', 'mediumint', 'int', 'integer', 'bigint', 'year'].map((type) => [type, 'integer'] as const),
  ...['decimal', 'float', 'double', 'bit', 'date', 'datetime', 'timestamp', 'time', 'uuid', 'inet4', 'inet6'].map(
    (type) => [type, 'fixed'] as const,
  ),
  ...['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set', 'json'].map(
    (type) => [type, 'text'] as const,
  ),
  ...['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'].map((type) => [type, 'bytes'] as const),
])

async function connect(url: string): Promise<ServerSession> {
  const address = mysqlAddress(url)
  if ('problem' in address) throw new ForeignTrouble(address.problem)
  const { createConnection } = await import('mysql2')
  const { host, port, user, password, database, tls } = address
  const socket = connectSocket(port, host)
  const bytes = limitBytes(socket)
  const connection = createConnection({
    host,
    port,
    user,
    password,
    database,
    charset: 'utf8mb4_general_ci',
    stream: () => socket,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A server might ask for a file from this machine, or for the password in plain text.
    flags: ['-LOCAL_FILES'],
    enableCleartextPlugin: false,
    // Otherwise column names sent by the server become part of generated code.
    disableEval: true,
    connectAttributes: { program_name: 'sluice import' },
    ...(tls === 'none' ? {} : { ssl: { rejectUnauthorized: tls === 'verified', verifyIdentity: tls === 'verified' } }),
  })
  // A failure between two statements is reported by the next one.
  connection.on('error', () => {})
  const query = async (sql: string): Promise<ForeignValue[][]> => {
    bytes.restart()
    const { rows, fields } = await run(connection, sql)
    return rows.map((row) => row.map((value, at) => valueOf(value, fields[at])))
  }
  await connected(connection)
  for (const setting of SETTINGS) await query(setting)
  for (const limit of TIME_LIMITS) await query(limit).catch(() => {})
  return {
    encoding: 'utf8mb4',
    query,
    catalogue: async () =>
      (await query(CATALOGUE)).flatMap(([table, column, type]) => {
        const shape = SHAPES.get(String(type).toLowerCase())
        return shape === undefined
          ? []
          : [{ table: String(table), tableSql: quoted(String(table)), column: String(column), shape }]
      }),
    begin: async () => {
      await query('rollback')
      await query('start transaction with consistent snapshot, read only')
    },
  }
}

function connected(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error === null ? resolve() : reject(error)))
  })
}

/** The bytes of each value as the server sent them. */
function run(
  connection: Connection,
  sql: string,
): Promise<{ readonly rows: (Buffer | null)[][]; readonly fields: readonly FieldPacket[] }> {
  return new Promise((resolve, reject) => {
    const options = { sql, rowsAsArray: true, typeCast: false, timeout: STATEMENT_TIMEOUT_MS + GRACE_MS }
    connection.query(options, (error: Error | null, rows: unknown, fields: FieldPacket[] | undefined) => {
      if (error !== null) reject(error)
      else resolve({ rows: fields === undefined ? [] : (rows as (Buffer | null)[][]), fields: fields ?? [] })
    })
  })
}

/** Protocol types whose values are integers, reals, and bytes or texts. */
const INTEGERS: ReadonlySet<number> = new Set([1, 2, 3, 8, 9, 13])
const REALS: ReadonlySet<number> = new Set([4, 5])
const BIT = 16
const STRINGS: ReadonlySet<number> = new Set([15, 249, 250, 251, 252, 253, 254])
/** The character set number of values that are not texts. */
const BINARY = 63

const decode = textDecoder('UTF-8')

/** A value of the text protocol; a text that cannot be decoded stays bytes. */
function valueOf(bytes: Buffer | null, field: FieldPacket | undefined): ForeignValue {
  if (bytes === null || bytes === undefined) return null
  const type = field?.columnType ?? field?.type ?? 0
  if (type === BIT) return new Uint8Array(bytes)
  if (STRINGS.has(type) && field?.characterSet === BINARY) return new Uint8Array(bytes)
  const text = decode(bytes)
  if (text === undefined) return new Uint8Array(bytes)
  if (INTEGERS.has(type) && /^-?[0-9]{1,20}$/.test(text)) return integerOf(text)
  return REALS.has(type) ? Number(text) : text
}
