import { rm } from 'node:fs/promises'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { COLUMN_TYPES, type Engine } from './column-types.ts'
import type { Database } from './database.ts'
import type { Migration } from './migration.ts'
import { MIGRATIONS } from './migrations/list.ts'
import type { Schema } from './schema/schema.ts'
import { copyDatabase } from './sqlite/copy-database.ts'

/** The steps taken, or why none were; `problem` is the rest of a sentence about the database. */
export type MigrateResult =
  | { readonly outcome: 'migrated'; readonly applied: readonly string[]; readonly copy: string | null }
  | { readonly outcome: 'refused'; readonly problem: string }

/**
 * Brings the database to the newest step, all pending steps in one transaction: it is either fully migrated or untouched. Processes
 * that start together take turns. Before a breaking step a SQLite file that holds data is copied to a file next to it; `copy` is
 * the path of that copy. A database that is newer than the code, or too old for it, is refused and left alone. `onApplied` is
 * called for each step once it has been executed, before all of them are committed.
 */
export async function migrate(
  database: Database,
  steps: readonly Migration[] = MIGRATIONS,
  onApplied: (step: Migration) => void = () => {},
): Promise<MigrateResult> {
  await createHistory(database.kysely)
  const before = compare(await readHistory(database.kysely), steps)
  if (before.problem !== undefined) return { outcome: 'refused', problem: before.problem }
  if (before.pending.length === 0) return { outcome: 'migrated', applied: [], copy: null }
  const { engine, kysely } = database
  // A new database needs no connection that may wait for longer.
  if (before.applied.length === 0) return await applyPending(engine, kysely, { steps, copy: null, onApplied })
  // Copying or rebuilding a large table takes longer than any query is allowed to.
  const patient = await database.openQueries(MIGRATION_TIMEOUT_MS)
  try {
    const copy = engine === 'sqlite' ? await copyBeforeBreaking(database.file, patient.kysely, before.pending) : null
    return await applyPending(engine, patient.kysely, { steps, copy, onApplied })
  } finally {
    await patient.close()
  }
}

/** The steps that the database lacks, and why they cannot be taken: the rest of a sentence about it. Writes nothing. */
export async function findPending(
  database: Pick<Database, 'kysely'>,
  steps: readonly Migration[] = MIGRATIONS,
): Promise<{ readonly pending: readonly Migration[]; readonly problem: string | undefined }> {
  const applied = await readHistory(database.kysely).catch(async (error: unknown) => {
    if (await hasHistory(database)) throw error
    return []
  })
  const { pending, problem } = compare(applied, steps)
  return { pending, problem }
}

async function hasHistory({ kysely }: Pick<Database, 'kysely'>): Promise<boolean> {
  const tables = await kysely.introspection.getTables()
  return tables.some(({ name }) => name === 'applied_migration')
}

const MIGRATION_TIMEOUT_MS = 3_600_000

/** First row of the history: on PostgreSQL its lock decides whose turn it is. */
const ORIGIN = '0000-origin'

function applyPending(
  engine: Engine,
  kysely: Kysely<Schema>,
  {
    steps,
    copy,
    onApplied,
  }: {
    readonly steps: readonly Migration[]
    readonly copy: string | null
    readonly onApplied: (step: Migration) => void
  },
): Promise<MigrateResult> {
  return kysely.transaction().execute(async (trx) => {
    // On SQLite `begin immediate` already makes others wait.
    if (engine === 'postgres') {
      await sql`select name from applied_migration where name = ${ORIGIN} for update`.execute(trx)
    }
    const { problem, pending } = compare(await readHistory(trx), steps)
    if (problem !== undefined) return { outcome: 'refused', problem }
    for (const step of pending) {
      for (const statement of step.statements(COLUMN_TYPES[engine])) await sql.raw(statement).execute(trx)
      await sql`insert into applied_migration (name) values (${step.name})`.execute(trx)
      onApplied(step)
    }
    return { outcome: 'migrated', applied: pending.map((step) => step.name), copy }
  })
}

async function createHistory(db: QueryExecutorProvider): Promise<void> {
  const create = sql`create table if not exists applied_migration (name text primary key)`
  // In PostgreSQL two concurrent "if not exists" can collide; the loser finds the table on its second try.
  await create.execute(db).catch(() => create.execute(db))
  await sql`insert into applied_migration (name) values (${ORIGIN}) on conflict do nothing`.execute(db)
}

async function readHistory(db: QueryExecutorProvider): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from applied_migration where name <> ${ORIGIN} order by name`.execute(db)
  return rows.map((row) => row.name)
}

function compare(applied: readonly string[], steps: readonly Migration[]) {
  const known = new Set(steps.flatMap(({ name, replaces = [] }) => [name, ...replaces]))
  const done = new Set(applied)
  const unknown = applied.filter((name) => !known.has(name))
  const pending: Migration[] = []
  let missing: string | undefined
  for (const step of steps) {
    const { replaces = [] } = step
    const hasSome = replaces.some((name) => done.has(name))
    if (hasSome) missing ??= replaces.find((name) => !done.has(name))
    else if (!done.has(step.name)) pending.push(step)
  }
  return { applied, pending, problem: problemOf(unknown, missing) }
}

function problemOf(unknown: readonly string[], missing: string | undefined): string | undefined {
  if (unknown.length > 0) return `is newer than this version; it has ${unknown.join(', ')}.`
  if (missing === undefined) return undefined
  return `is too old for this version; it lacks ${missing}. Start a version of 28 November 2026 on it first.`
}

async function copyBeforeBreaking(
  file: string,
  db: QueryExecutorProvider,
  pending: readonly Migration[],
): Promise<string | null> {
  const breaking = pending.find((step) => step.breaking)
  if (breaking === undefined) return null
  const copy = `${file}.before-${breaking.name}`
  // A copy left by an interrupted attempt is older than the file, or incomplete.
  await rm(copy, { force: true })
  await copyDatabase(db, copy)
  return copy
}
