import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerEngine } from '@sluice/ledger/engine'
import type { SqliteConnection as LedgerConnection, SqliteValue } from '@sluice/ledger/engines/sqlite-connection'
import { open } from '@sluice/ledger/engines/sqlite-program'
import { openSqliteEngine } from '@sluice/ledger/engines/sqlite-remote'
import type { ReadRows } from '@sluice/ledger/proof/verify'
import { COLUMN_TYPES } from '@sluice/store/column-types'
import { MIGRATIONS } from '@sluice/store/migrations/list'
import { ROLL_UP_TABLES } from '@sluice/store/rollup-triggers'
import { openSqliteConnection, type SqliteConnection } from '@sluice/store/sqlite/connection'

/** A migrated SQLite file in this thread, fast and not durable, for laws that need thousands of empty ledgers. */
export interface LedgerOnSqlite {
  readonly connection: SqliteConnection
  readonly read: ReadRows
  /** An engine on its own connection, which `through` may wrap; `close` leaves it open. The engine still works after `empty`. */
  openEngine(through?: (connection: LedgerConnection) => LedgerConnection): LedgerEngine
  add(table: string, row: Readonly<Record<string, SqliteValue>>): void
  empty(): void
  close(): void
}

/** Per engine, in a row. A ledger with a planted fault might never end. */
const MAX_RECOVERIES = 20

export function openLedgerOnSqlite(): LedgerOnSqlite {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-books-'))
  const connections: SqliteConnection[] = []
  const connect = (): SqliteConnection => {
    const opened = openSqliteConnection(join(directory, 'sluice.db'))
    opened.exec('pragma synchronous = off')
    connections.push(opened)
    return opened
  }
  const connection = connect()
  for (const { statements } of MIGRATIONS) {
    for (const statement of statements(COLUMN_TYPES.sqlite)) connection.exec(statement)
  }
  const tables = [
    // Triggers fill these when rows are added, but do not clear them when rows are deleted.
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
    'imported',
    'ledger_event',
  ]
  return {
    connection,
    read: async (text) => connection.prepare(text).all(),
    openEngine: (through = (own) => own) => {
      const ledger: Readonly<Record<string, unknown>> = { ...open(through(neverFlushed(connect()))) }
      let recoveries = 0
      return openSqliteEngine({
        call: async (method, args) => {
          recoveries = method === 'recover' ? recoveries + 1 : 0
          if (recoveries > MAX_RECOVERIES) throw new Error('recovery finds the same holds again and again')
          const work = ledger[method]
          if (typeof work !== 'function') throw new Error(`no method ${method}`)
          const result: unknown = work(...args)
          return result
        },
        close: async () => {},
      })
    },
    add: (table, row) => {
      const places = Object.keys(row).map(() => '?')
      connection
        .prepare(`insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})`)
        .run(...Object.values(row))
    },
    empty: () => connection.exec(`begin; ${tables.map((table) => `delete from ${table};`).join(' ')} commit`),
    close: () => {
      for (const opened of connections) opened.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The engine itself switches flushing on and off; here data need not outlive the process. */
function neverFlushed(connection: LedgerConnection): LedgerConnection {
  return {
    exec: (sql) => {
      if (!sql.startsWith('pragma synchronous')) connection.exec(sql)
    },
    prepare: (sql) => connection.prepare(sql),
  }
}
