import { type Kysely, sql } from 'kysely'
import { COPIED_TABLES } from '../../copy/copied-tables.ts'
import type { PostgresClient } from '../../postgres/client.ts'
import type { Schema } from '../../schema/schema.ts'

/**
 * Keeps every process from writing to a PostgreSQL database whose data is moving, even one that was presumed dead, wakes up and
 * knows nothing of the move. Each table that moves gets a trigger that refuses any change. Creating a trigger takes a lock that
 * waits for current writers and blocks all others, so nothing is written from then on, without a gap.
 */
const TRIGGER = 'moved_away'
const REFUSAL = 'refuse_after_move'
/** Our other transactions end sooner; see `idle_in_transaction_session_timeout` in `postgres/pool.ts`. */
const WAIT_MS = 20_000
/** The code of a read-only server, which every caller handles, because a server may become a standby. */
const READ_ONLY = '25006'
/** Codes for a lock that was not available in time, and for a deadlock. */
const BUSY: ReadonlySet<unknown> = new Set(['55P03', '40P01'])

/**
 * Raises the fence in a client's open transaction: it locks out everyone else until the transaction ends, and stays once that
 * commits. False if others write for too long; the transaction has then failed.
 */
export async function raiseFence(client: Pick<PostgresClient, 'query'>): Promise<boolean> {
  const { rows } = await client.query({ text: FENCED })
  const fenced = new Set(rows.map((row) => row['table']))
  try {
    await client.query({ text: `set local lock_timeout = ${WAIT_MS}` })
    await client.query({ text: CREATE_REFUSAL })
    for (const table of COPIED_TABLES) {
      if (!fenced.has(table)) await client.query({ text: createTrigger(table) })
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && BUSY.has(error.code)) return false
    throw error
  }
}

/** Lets everyone write again, as part of the caller's transaction. Does nothing if there is no fence. */
export async function lowerFence(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql.raw<{ table: string }>(FENCED).execute(db)
  for (const { table } of rows) await sql`drop trigger ${sql.id(TRIGGER)} on ${sql.table(table)}`.execute(db)
  await sql`drop function if exists ${sql.id(REFUSAL)}()`.execute(db)
}

const FENCED = `select t.relname as "table" from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where g.tgname = '${TRIGGER}' and t.relnamespace = current_schema()::regnamespace and not t.relispartition
  order by t.relname`

const CREATE_REFUSAL = `create or replace function ${REFUSAL}() returns trigger language plpgsql as $$
  begin
    raise exception 'the data of this database was moved to %', (select to_name from database_move)
      using errcode = '${READ_ONLY}';
  end $$`

function createTrigger(table: string): string {
  return `create trigger ${TRIGGER} before insert or update or delete or truncate on "${table}"
    for each statement execute function ${REFUSAL}()`
}
