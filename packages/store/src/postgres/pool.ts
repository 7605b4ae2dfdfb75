import { type ClientConfig, Pool, types } from 'pg'

const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_MS = 30_000
/** Without a limit, a busy connection would be used indefinitely, even after its server was replaced and became read-only. */
const LIFETIME_S = 60
/** A transaction that its owner forgot must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 15_000
/** Allowance for the network, on top of the server's own time-out, before a connection counts as dead. */
const GRACE_MS = 5_000

/** Options of all our connections: a name in `pg_stat_activity`, time-outs on both sides, bigint for 64-bit integers. */
export function connectionOptions(url: string, timeoutMs: number): ClientConfig {
  return {
    connectionString: url,
    application_name: 'sluice',
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  }
}

/** At most ten connections, closed after 30 s of idleness or 60 s in all; a query waits 5 s for a free one, then fails. */
export function openPool(url: string, timeoutMs: number): Pool {
  const limits = { max: MAX_CONNECTIONS, idleTimeoutMillis: IDLE_MS, maxLifetimeSeconds: LIFETIME_S }
  const pool = new Pool({ ...connectionOptions(url, timeoutMs), ...limits })
  // The pool has already dropped the idle connection that failed; the next query gets a new one.
  pool.on('error', () => {})
  // A connection that fails between two statements of a transaction reports it only on itself: the next statement is rejected, and
  // the pool drops it. Without a listener, that event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const INT8: number = types.builtins.INT8
const NUMERIC: number = types.builtins.NUMERIC

/**
 * Parsers by PostgreSQL type id, for one pool or client at a time, never for the whole process: `bigint` is bigint in code, and so
 * is a whole `numeric`, the type of `sum(bigint)` in PostgreSQL.
 */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: BigInt,
  [NUMERIC]: (text) => (text.includes('.') ? Number(text) : BigInt(text)),
}

/** `types.getTypeParser` of a client: our parsers, otherwise those of `pg`. */
const getTypeParser: typeof types.getTypeParser = (
  id: Parameters<typeof types.getTypeParser>[0],
  format?: 'text' | 'binary',
) => (format === 'binary' ? types.getTypeParser(id, 'binary') : (PARSERS[id] ?? types.getTypeParser(id, 'text')))
