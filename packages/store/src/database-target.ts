import { join } from 'node:path'
import type { DatabaseTarget } from './database.ts'

/**
 * Reads `DATABASE_URL`. Absent or empty: `sluice.db` in the data directory. `sqlite:path` names another file, relative to the
 * working directory or absolute. `postgres://` and `postgresql://` name a server. Anything else is a problem, in whose text `name`
 * says where the address was given.
 */
export function databaseTarget(
  url: string | undefined,
  dataDirectory: string,
  name = 'DATABASE_URL',
): DatabaseTarget | { readonly problem: string } {
  if (url === undefined || url === '') return { sqliteFile: join(dataDirectory, 'sluice.db') }
  if (/^postgres(ql)?:\/\//.test(url)) {
    return URL.canParse(url) ? { url } : { problem: `${name} is not a valid address` }
  }
  if (url.startsWith('sqlite:')) {
    const sqliteFile = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    return sqliteFile === '' ? { problem: `${name} has no file after "sqlite:"` } : { sqliteFile }
  }
  return { problem: `${name} must start with postgres:// or sqlite:, or be left out to use a SQLite file` }
}
