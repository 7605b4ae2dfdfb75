import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { folderOrigin } from './files/folder.ts'
import type { OpenedForeign } from './foreign-database.ts'
import { mysqlAddress } from './mysql/address.ts'
import { postgresWords } from './postgres/words.ts'
import { readTables } from './read-tables.ts'
import { openServerSource } from './server/open-server-source.ts'
import { decoded } from './server/server-problem.ts'
import type { OpenedSource, SourceColumn, SourceWords } from './source-engine.ts'
import { copyForeignFile, fileState } from './sqlite/copy-file.ts'
import { fileProblem } from './sqlite/file-problem.ts'
import { openPrivateFile } from './sqlite/open-private-file.ts'

export interface OpenOptions {
  /** Cancels the opening, and later any running call. */
  readonly signal: AbortSignal
  /** Holds a copy of the source while it is open, unless the source is a server; there must be enough room for it. */
  readonly temporaryDirectory: string
}

/**
 * Opens the source of an import: the path of a SQLite file or of a folder with a CSV or JSONL file per table, or the address of a
 * server (`postgres://`, `postgresql://`, `mysql://`). Nothing is ever written to it.
 */
export async function openForeignDatabase(source: string, options: OpenOptions): Promise<OpenedForeign> {
  if (options.signal.aborted) return { problem: 'opening the source was cancelled' }
  const scheme = /^([a-z][a-z0-9+]*):\/\//i.exec(source)?.[1]?.toLowerCase()
  const opened = scheme === undefined ? await openPath(source, options) : await openServer(scheme, source, options)
  if ('problem' in opened) return opened
  if (!options.signal.aborted) return opened
  await opened.database.close()
  return { problem: 'opening the source was cancelled' }
}

async function openServer(scheme: string, source: string, { signal }: OpenOptions): Promise<OpenedForeign> {
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      if (!URL.canParse(source)) return { problem: 'the address of the PostgreSQL server is not valid' }
      return databaseOf('postgres', serverName(source), await openServerSource(source, postgresWords, signal))
    case 'mysql': {
      const address = mysqlAddress(source)
      if ('problem' in address) return address
      return databaseOf('mysql', serverName(source), await openServerSource(source, () => MYSQL_WORDS, signal))
    }
    default:
      return { problem: `an import reads mysql:// and postgres://, not ${scheme}://` }
  }
}

/** Host and database. */
function serverName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${decoded(pathname)}`
}

async function openPath(source: string, options: OpenOptions): Promise<OpenedForeign> {
  if (/@(tcp|unix)\(/.test(source))
    return { problem: 'the address of a MySQL server has the form mysql://user:password@host:3306/database' }
  const path = resolve(source)
  const subject = `the file ${basename(path)}`
  try {
    const found = await stat(path)
    const isFolder = found.isDirectory()
    const origin = isFolder
      ? folderOrigin(path, options.signal)
      : { subject, state: () => fileState(path), write: (copy: string) => copyForeignFile(path, copy) }
    return databaseOf(isFolder ? 'csv' : 'sqlite', basename(path), await openPrivateFile(origin, options))
  } catch (error) {
    const problem = fileProblem(error)
    if (problem === undefined) throw error
    return { problem: `${subject} ${problem}` }
  }
}

function databaseOf(
  engine: 'sqlite' | 'csv' | 'postgres' | 'mysql',
  name: string,
  opened: OpenedSource,
): OpenedForeign {
  if ('problem' in opened) return opened
  return { database: readTables(engine, `${engine} ${name}`, opened.source) }
}

/** A value in a column of another type counts as an integer if its text is one. */
const asInteger = ({ sql, shape }: SourceColumn): string =>
  shape === 'integer'
    ? sql
    : `(case when ${bytesOf({ sql, shape })} regexp '^-?[0-9]{1,18}$' then cast(${sql} as signed) end)`

/** The text in UTF-8, compared byte for byte and not as its collation would. */
const bytesOf = ({ sql, shape }: SourceColumn): string =>
  shape === 'bytes' ? sql : `cast(convert(${sql} using utf8mb4) as binary)`

const MYSQL_WORDS: SourceWords = {
  value: ({ sql }) => sql,
  key: (column) => ({ sql: asInteger(column), where: undefined }),
  integer: asInteger,
  size: ({ sql, shape }) => (shape === 'text' || shape === 'bytes' ? `octet_length(${sql})` : undefined),
  // Kept short, because older servers join long values without an index.
  name: bytesOf,
  exactText: () => undefined,
}
