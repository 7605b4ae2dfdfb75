import { SqliteError } from './sqlite/host.ts'

/** SQLite's primary result codes: busy, read-only, I/O error, full, cannot open (sqlite.org/rescode.html). */
const SQLITE_TROUBLE: ReadonlySet<number> = new Set([5, 8, 10, 13, 14])
const PRIMARY = 0xff
/**
 * Classes of SQLSTATE: connection, resources (53100 is a full disk), operator intervention, system. Also single codes of other
 * classes: a read-only server (a standby, until it is promoted), a lock that was not available in time, a deadlock.
 */
const POSTGRES_TROUBLE = /^((08|53|57|58)...|25006|25P03|40001|40P01|55P03)$/
const CONNECTION_TROUBLE = /^(ECONN|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$|ENETUNREACH$)/
/** Messages of the driver that come without a code. */
const DRIVER_TROUBLE = /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated)/

/** True when the database cannot do the request now but might later: it is full, away or slow. Any other error is a bug. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // If there is no code from SQLite or the system, the thread has ended or took too long.
  if (error instanceof SqliteError) return error.errcode === undefined || SQLITE_TROUBLE.has(error.errcode & PRIMARY)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return POSTGRES_TROUBLE.test(code) || CONNECTION_TROUBLE.test(code) || DRIVER_TROUBLE.test(error.message)
}
