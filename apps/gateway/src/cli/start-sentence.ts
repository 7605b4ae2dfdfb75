import { databaseTarget } from '@sluice/store/database-target'
import { SqliteError } from '@sluice/store/sqlite/host'
import { StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'

/** SQLite's primary result codes, the low byte of the extended ones (sqlite.org/rescode.html). */
const PRIMARY = 0xff
/** SQLITE_IOERR_SHMSIZE: no room for the index of the write-ahead log, which every reader needs. */
const NO_ROOM_TO_READ = 4874

type StartAddresses = Pick<Config, 'databaseUrl' | 'dataDir' | 'host' | 'port'>

/** A problem that an operator can fix, in one sentence; undefined for a bug, whose stack is needed. */
export function startSentence(error: unknown, addresses: StartAddresses): string | undefined {
  if (error instanceof StartProblem) return error.message
  if (!(error instanceof Error)) return undefined
  if (error instanceof SqliteError && error.errcode !== undefined) return ofSqlite(error.errcode, error, addresses)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code === undefined
    ? undefined
    : (ofListening(code, addresses) ?? ofPostgres(code, error) ?? ofSystem(code, error, addresses))
}

function ofSqlite(errcode: number, { message }: Error, { databaseUrl, dataDir }: StartAddresses): string | undefined {
  const target = databaseTarget(databaseUrl, dataDir)
  const file = 'sqliteFile' in target ? target.sqliteFile : 'the database'
  const full = `The disk of ${file} is full: free some space and start again.`
  if (errcode === NO_ROOM_TO_READ) return full
  switch (errcode & PRIMARY) {
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
      return `${file} cannot be written: the file and its folder must belong to this user and not be read-only (${message}).`
    case 5: // SQLITE_BUSY
      return `${file} is locked by another program: stop that program and start again.`
    case 10: // SQLITE_IOERR
      return `The disk cannot read or write ${file} (${message}): check the system's log.`
    case 11: // SQLITE_CORRUPT
      return `${file} is damaged (${message}): keep it and restore the latest backup in its place.`
    case 13: // SQLITE_FULL
      return full
    case 26: // SQLITE_NOTADB
      return `${file} is not a SQLite database, or its beginning has been overwritten: move it away and restore the latest backup in its place.`
    default:
      return undefined
  }
}

function ofListening(code: string, { host, port }: StartAddresses): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Choose another one: PORT=3001`
    case 'EADDRNOTAVAIL':
      return `SLUICE_HOST=${host} is not an address of this machine.`
    default:
      return undefined
  }
}

/** SQLSTATEs (postgresql.org/docs/current/errcodes-appendix.html) and errors of the connection. */
function ofPostgres(code: string, { message }: Error): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return 'The database in DATABASE_URL does not accept connections.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ECONNRESET':
      return `The server in DATABASE_URL cannot be reached: ${message}.`
    case '25006':
    case '28P01':
    case '28000':
    case '3D000':
    case '42501':
    case '53300':
    case '57P03':
      return `PostgreSQL refused: ${message}.`
    default:
      return undefined
  }
}

function ofSystem(code: string, error: Error, { dataDir }: StartAddresses): string | undefined {
  const { message } = error
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `No permission: ${message}.`
    case 'ENOSPC':
    case 'EDQUOT':
      // An error while writing to an open file does not name it; nearly all our files are in this folder.
      return 'path' in error
        ? `The disk is full: ${message}.`
        : `The disk is full: ${message}; the data is in ${dataDir}.`
    case 'EMFILE':
    case 'ENFILE':
      return `Too many files are open: ${message}. Raise the limit (ulimit -n).`
    case 'EEXIST':
    case 'ENOTDIR':
    case 'EISDIR':
      return `A file is where a folder should be, or the other way round: ${message}.`
    default:
      return undefined
  }
}
