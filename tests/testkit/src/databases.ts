import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, type PostgresDatabase, type SqliteDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { sql } from 'kysely'
import { openPGlite } from './pglite.ts'
import { createPostgresDatabase } from './postgres-databases.ts'
import { SQLITE_IMAGE } from './sqlite-image.ts'

export type TestEngine = 'sqlite' | 'pglite' | 'postgres'

/** PGlite is slow and finds nothing that a server does not, so only `npm test -- --long` runs it. */
export const postgresEngines: readonly ('pglite' | 'postgres')[] =
  process.env['SLUICE_TEST_LONG'] === undefined ? ['postgres'] : ['postgres', 'pglite']

/** The engines of a contract suite: `describe.each(databaseEngines)('…on %s', (engine) => …)`. */
export const databaseEngines: readonly TestEngine[] =
  process.env['SLUICE_TEST_QUICK'] === undefined ? ['sqlite', ...postgresEngines] : ['sqlite']

/** A migrated, empty database for one test file. For PGlite, `engine` is `postgres`. */
export type TestDatabase<D extends Database = Database> = D & {
  /** Empties every table and restarts ids at 1; cheaper than another database. */
  reset(): Promise<void>
  /** An independent handle on the same data, as in another process; the caller must close it. */
  reopen(): Promise<D>
}

/**
 * Opens a fresh database. Open one per file (`beforeAll`), `reset` it per test (`beforeEach`), `close` it at the end: a PGlite
 * instance takes about a second to start. `close` also deletes its data on disk or on the server.
 */
export async function openTestDatabase(engine: 'sqlite'): Promise<TestDatabase<SqliteDatabase>>
export async function openTestDatabase(engine: 'pglite' | 'postgres'): Promise<TestDatabase<PostgresDatabase>>
export async function openTestDatabase(engine: TestEngine): Promise<TestDatabase>
export async function openTestDatabase(engine: TestEngine): Promise<TestDatabase> {
  return await open(engine, 'migrated')
}

/** Without tables, for migration tests. */
export async function openEmptyDatabase(engine: TestEngine): Promise<TestDatabase> {
  return await open(engine, 'empty')
}

type Content = 'migrated' | 'empty'

async function open(engine: TestEngine, content: Content): Promise<TestDatabase> {
  const { database, reopen, remove } = await openers[engine](content)
  if (content === 'migrated') {
    const result = await migrate(database)
    if (result.outcome !== 'migrated') throw new Error('a new test database claims to be newer than the code')
  }
  return {
    ...database,
    reset: () => (database.engine === 'sqlite' ? resetSqlite(database) : resetPostgres(database)),
    reopen,
    close: async () => {
      await database.close()
      await remove()
    },
  }
}

interface Opened {
  readonly database: Database
  readonly reopen: () => Promise<Database>
  readonly remove: () => Promise<void>
}

const openers: Readonly<Record<TestEngine, (content: Content) => Promise<Opened>>> = {
  sqlite: async (content) => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-test-'))
    const file = join(directory, 'sluice.db')
    const image = process.env[SQLITE_IMAGE]
    if (content === 'migrated' && image !== undefined) await copyFile(image, file)
    const reopen = (): Promise<Database> => openDatabase({ sqliteFile: file })
    return { database: await reopen(), reopen, remove: () => rm(directory, { recursive: true, force: true }) }
  },
  pglite: async (content) => {
    const database = await openPGlite(content)
    // An instance has only one session, which the second handle shares.
    return { database, reopen: async () => ({ ...database, close: async () => {} }), remove: async () => {} }
  },
  postgres: async (content) => {
    const { url, drop } = await createPostgresDatabase(content)
    const reopen = (): Promise<Database> => openDatabase({ url })
    return { database: await reopen(), reopen, remove: drop }
  },
}

/** Tables with rows that migrations insert. */
const KEPT = ['applied_migration', 'snapshot_version', 'record_log', 'database_move']

async function resetSqlite({ kysely }: SqliteDatabase): Promise<void> {
  const tables = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(kysely)
  await sql`pragma foreign_keys = off`.execute(kysely)
  for (const { name } of tables.rows) {
    if (!KEPT.includes(name)) await sql`delete from ${sql.table(name)}`.execute(kysely)
  }
  await sql`pragma foreign_keys = on`.execute(kysely)
}

/** Deletes instead of truncating, which would create a new file for each of about a hundred tables and indexes. */
async function resetPostgres({ kysely }: PostgresDatabase): Promise<void> {
  const [tables, sequences] = await Promise.all([
    // A partitioned table is emptied through its parent.
    sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and not relispartition`.execute(kysely),
    sql<{ name: string }>`select sequencename as name from pg_sequences where schemaname = current_schema()`.execute(
      kysely,
    ),
  ])
  const emptied = tables.rows.map(({ name }) => name).filter((name) => !KEPT.includes(name))
  const deletions = emptied.map((name) => `delete from "${name}";`)
  const restarts = sequences.rows.map(({ name }) => `perform setval('"${name}"', 1, false);`)
  // Triggers and foreign keys are off, so the order does not matter.
  const steps = ['set local session_replication_role = replica;', ...deletions, ...restarts]
  await sql.raw(`do $$ begin ${steps.join(' ')} end $$`).execute(kysely)
}
