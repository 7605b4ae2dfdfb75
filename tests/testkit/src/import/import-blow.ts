import type { Ledger } from '@sluice/ledger/ledger'
import type { Database } from '@sluice/store/database'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Kysely } from 'kysely'

export interface Blow {
  /** Number of the statement, transaction end or ledger call, from 1. */
  readonly at: number
  /** Whether that call took effect, and only its answer was lost. */
  readonly effective: boolean
}

export type ImportLedger = Pick<Ledger, 'openAccount' | 'move'>

export interface Victim {
  readonly database: Database
  readonly ledger: ImportLedger
  readonly isDead: () => boolean
}

/** For SQLite. After the blow nothing reaches the database, and the open transaction is rolled back, as after a kill. */
export function withBlow(
  { database, ledger }: { readonly database: Database; readonly ledger: ImportLedger },
  { at, effective }: Blow,
): Victim {
  let count = 0
  let dead = false
  const pass = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) throw new Error('this process is dead')
    count += 1
    if (count !== at) return await work()
    dead = true
    if (effective) await work()
    throw new Error('this process died')
  }
  const executor = database.kysely.getExecutor()
  /** There may be nothing left to roll back. */
  const rollback = async (): Promise<void> => {
    const run = (connection: DatabaseConnection) => connection.executeQuery(statement('rollback'))
    await executor.provideConnection(run).catch(() => {})
  }
  const driver: Driver = {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: async () => ({
      executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
        pass(() => executor.provideConnection((connection) => connection.executeQuery<R>(query))),
      streamQuery: () => {
        throw new Error('nothing is streamed here')
      },
    }),
    beginTransaction: async (connection) => {
      try {
        await connection.executeQuery(statement('begin immediate'))
      } catch (error) {
        await rollback()
        throw error
      }
    },
    commitTransaction: async (connection) => {
      await connection.executeQuery(statement('commit'))
    },
    rollbackTransaction: rollback,
    releaseConnection: async () => {},
  }
  const kysely = new Kysely<never>({
    dialect: {
      createAdapter: () => executor.adapter,
      createDriver: () => driver,
      createQueryCompiler: () => ({
        compileQuery: (node, queryId) => executor.compileQuery(node, queryId),
      }),
      createIntrospector: (db) => ({
        getSchemas: async () => [],
        getTables: async () => [],
        getMetadata: async () => ({ tables: [] }),
        db,
      }),
    },
  }) as unknown as Database['kysely']
  return {
    database: { ...database, kysely },
    ledger: {
      openAccount: (...given) => pass(() => ledger.openAccount(...given)),
      move: (...given) => pass(() => ledger.move(...given)),
    },
    isDead: () => dead,
  }
}

function statement(sql: string): CompiledQuery {
  return { sql, parameters: [], query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] } } as never
}
