import { join } from 'node:path'
import type { DatabaseTarget } from './database.ts'

/**
 * Reads `DATABASE_URL`. Absent or empty: `sluice.db` in the data directory. `sqlite:path` names another file, relative to the
 * working directory or absolute. `postgres://` and `postgresql://` name a server. For anything else it returns the problem in
 * words.
 */
export function databaseTarget(
  url: string | undefined,
  dataDirectory: string,
): DatabaseTarget | { readonly problem: string } {
  if (url === undefined || url === '') return { sqliteFile: join(dataDirectory, 'sluice.db') }
  if (/^postgres(ql)?:\/\//.test(url)) {
    return URL.canParse(url) ? { url } : { problem: 'DATABASE_URL is not a valid address' }
  }
  if (url.startsWith('sqlite:')) {
    const sqliteFile = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    return sqliteFile === '' ? { problem: 'DATABASE_URL names no file after "sqlite:"' } : { sqliteFile }
  }
  return { problem: 'DATABASE_URL must start with postgres:// or sqlite:, or be left out for a SQLite file' }
}
