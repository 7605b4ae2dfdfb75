import { type QueryExecutorProvider, sql } from 'kysely'
import { COLUMN_TYPES } from './column-types.ts'
import type { Database } from './database.ts'
import type { Migration } from './migration.ts'
import { MIGRATIONS } from './migrations/list.ts'

/** What `migrate` did, or why it did nothing. `newer`: the database has steps that this code does not know. */
export type MigrateResult =
  | { readonly outcome: 'migrated'; readonly applied: readonly string[]; readonly copy: string | null }
  | { readonly outcome: 'newer'; readonly unknown: readonly string[] }

/**
 * Brings the database to the newest step, all pending steps in one transaction: it is either fully migrated or untouched.
 * Processes that start together take turns. Before a breaking step a SQLite file that holds data is copied beside itself;
 * `copy` is the file's path. A database newer than the code is refused and left alone.
 */
export async function migrate(database: Database, steps: readonly Migration[] = MIGRATIONS): Promise<MigrateResult> {
  await createHistory(database)
  const before = plan(await readHistory(database.kysely), steps)
  const copy =
    database.engine === 'sqlite' && before.applied.length > 0
      ? await copyBeforeBreaking(database, before.pending)
      : null
  return await database.kysely.transaction().execute(async (trx) => {
    await takeTurn(database, trx)
    const { unknown, pending } = plan(await readHistory(trx), steps)
    if (unknown.length > 0) return { outcome: 'newer', unknown }
    for (const step of pending) {
      for (const statement of step.statements(COLUMN_TYPES[database.engine])) await sql.raw(statement).execute(trx)
      await sql`insert into applied_migration (name) values (${step.name})`.execute(trx)
    }
    return { outcome: 'migrated', applied: pending.map((step) => step.name), copy }
  })
}

/** Names of the steps not yet applied; used by `doctor` and by the guard at start. */
export async function pendingMigrations(
  database: Database,
  steps: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  await createHistory(database)
  return plan(await readHistory(database.kysely), steps).pending.map((step) => step.name)
}

/** First row of the history: on PostgreSQL its lock decides whose turn it is. */
const ORIGIN = '0000-origin'

async function createHistory(database: Database): Promise<void> {
  const create = sql`create table if not exists applied_migration (name text primary key)`
  // PostgreSQL lets two concurrent "if not exists" collide; the loser finds the table at its second try.
  await create.execute(database.kysely).catch(() => create.execute(database.kysely))
  await sql`insert into applied_migration (name) values (${ORIGIN}) on conflict do nothing`.execute(database.kysely)
}

/** SQLite's `begin immediate` has already made others wait. */
async function takeTurn(database: Database, trx: QueryExecutorProvider): Promise<void> {
  if (database.engine === 'postgres')
    await sql`select name from applied_migration where name = ${ORIGIN} for update`.execute(trx)
}

async function readHistory(db: QueryExecutorProvider): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string
  }>`select name from applied_migration where name <> ${ORIGIN} order by name`.execute(db)
  return rows.map((row) => row.name)
}

function plan(applied: readonly string[], steps: readonly Migration[]) {
  const known = new Set(steps.map((step) => step.name))
  const done = new Set(applied)
  return {
    applied,
    unknown: applied.filter((name) => !known.has(name)),
    pending: steps.filter((step) => !done.has(step.name)),
  }
}

async function copyBeforeBreaking(
  database: Database & { engine: 'sqlite' },
  pending: readonly Migration[],
): Promise<string | null> {
  const breaking = pending.find((step) => step.breaking)
  if (breaking === undefined) return null
  const copy = `${database.file}.before-${breaking.name}`
  await sql`vacuum into ${copy}`.execute(database.kysely)
  return copy
}
