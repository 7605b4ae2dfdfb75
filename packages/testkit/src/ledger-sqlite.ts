import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerEngine } from '@sluice/ledger/engine'
import { open } from '@sluice/ledger/engines/sqlite-program'
import { openSqliteEngine } from '@sluice/ledger/engines/sqlite-remote'
import type { ReadRows } from '@sluice/ledger/verify'
import { COLUMN_TYPES } from '@sluice/store/column-types'
import { MIGRATIONS } from '@sluice/store/migrations/list'
import { ROLL_UP_TABLES } from '@sluice/store/rollup-triggers'
import { openSqliteConnection, type SqliteConnection } from '@sluice/store/sqlite/connection'

/** A migrated SQLite file in this thread, fast and not durable: for laws that need thousands of empty books. */
export interface SqliteBooks {
  readonly connection: SqliteConnection
  readonly read: ReadRows
  /** An engine in this thread; it stays open when it is closed. */
  openEngine(): LedgerEngine
  empty(): void
  close(): void
}

export function openSqliteBooks(): SqliteBooks {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-books-'))
  const connection = openSqliteConnection(join(directory, 'sluice.db'))
  connection.exec('pragma synchronous = off')
  for (const { statements } of MIGRATIONS) {
    for (const statement of statements(COLUMN_TYPES.sqlite)) connection.exec(statement)
  }
  const tables = [
    // Follow their tables by triggers when rows are added, not when they are deleted.
    ...ROLL_UP_TABLES,
    'hold',
    'budget',
    'transfer',
    'price',
    'usage_daily',
    'log',
    'trace',
    'replica',
    'account',
    '"option"',
    'redemption',
  ]
  return {
    connection,
    read: async (text) => connection.prepare(text).all(),
    openEngine: () => {
      const ledger: Readonly<Record<string, unknown>> = { ...open(connection) }
      return openSqliteEngine({
        call: async (method, args) => {
          const work = ledger[method]
          if (typeof work !== 'function') throw new Error(`no method ${method}`)
          const result: unknown = work(...args)
          return result
        },
        close: async () => {},
      })
    },
    empty: () => connection.exec(`begin; ${tables.map((table) => `delete from ${table};`).join(' ')} commit`),
    close: () => {
      connection.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
