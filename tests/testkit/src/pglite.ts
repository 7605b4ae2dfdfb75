import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { PostgresDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import {
  type PostgresClient,
  type PostgresRow,
  type PostgresStatement,
  transactionCommand,
} from '@sluice/store/postgres/client'
import { PARSERS } from '@sluice/store/postgres/pool'
import type { Schema } from '@sluice/store/schema/schema'
import { Kysely, PGliteDialect } from 'kysely'

/** Path of an image of a migrated instance, written once per test run; starting from it takes a quarter of the time. */
export const PGLITE_IMAGE = 'SLUICE_TEST_PGLITE_IMAGE'

/** PostgreSQL compiled to WebAssembly, in this process and in memory: a substitute for the server, with one session. */
export async function openPGlite(content: 'migrated' | 'empty'): Promise<PostgresDatabase> {
  const image = process.env[PGLITE_IMAGE]
  const pglite = await PGlite.create({ parsers: PARSERS, ...(image && { loadDataDir: await openAsBlob(image) }) })
  if (content === 'empty') await pglite.exec('drop schema public cascade; create schema public')
  return asDatabase(pglite)
}

export async function writePGliteImage(path: string): Promise<void> {
  const pglite = await PGlite.create({ parsers: PARSERS })
  const database = asDatabase(pglite)
  await migrate(database)
  const image = await pglite.dumpDataDir('none')
  await writeFile(path, image.stream())
  await database.close()
}

function asDatabase(pglite: PGlite): PostgresDatabase {
  const kysely = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  return {
    engine: 'postgres',
    kysely,
    openClient: () => openClient(pglite),
    openQueries: async () => ({ kysely, close: async () => {}, abandon: async () => {} }),
    close: async () => {
      await kysely.destroy()
      if (!pglite.closed) await pglite.close()
    },
  }
}

/** An open transaction has the only session to itself, as if it had its own server connection. */
function openClient(pglite: PGlite): PostgresClient {
  let transaction: OpenTransaction | undefined
  let closed = false
  let last: Promise<unknown> = Promise.resolve()

  const run = async ({ text, values = [] }: PostgresStatement) => {
    const command = transactionCommand(text)
    if (command === undefined) {
      const { rows, affectedRows } = await (transaction?.session ?? pglite).query<PostgresRow>(text, [...values])
      return { rows, rowCount: rows.length > 0 ? rows.length : (affectedRows ?? 0) }
    }
    const ended = transaction
    transaction = undefined
    await ended?.end(command === 'commit' ? 'commit' : 'rollback')
    if (command === 'begin') transaction = await beginTransaction(pglite)
    return { rows: [], rowCount: 0 }
  }

  return {
    query: (statement) => {
      if (closed) return Promise.reject(new Error('the database client is closed'))
      const result = last.then(() => run(statement))
      last = result.catch(() => {})
      return result
    },
    close: async () => {
      closed = true
      await last
      await transaction?.end('rollback')
    },
  }
}

interface OpenTransaction {
  readonly session: Transaction
  readonly end: (how: 'commit' | 'rollback') => Promise<void>
}

function beginTransaction(pglite: PGlite): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const finish = Promise.withResolvers<'commit' | 'rollback'>()
    const ended = pglite.transaction(async (session) => {
      resolve({
        session,
        end: async (how) => {
          finish.resolve(how)
          await ended
        },
      })
      if ((await finish.promise) === 'rollback') await session.rollback()
    })
    ended.catch(reject)
  })
}
