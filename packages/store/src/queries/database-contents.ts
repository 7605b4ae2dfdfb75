import { type Kysely, sql } from 'kysely'
import { asBigInt, asNumber } from '../aggregates.ts'
import { missingKeys } from '../reseal.ts'
import type { Schema } from '../schema/schema.ts'

/** A summary of a database, to be compared with a copy's. */
export interface DatabaseContents {
  /** Id of the database, shared by its copies; 32 hex digits. */
  readonly database: string
  /** Name of the newest migration. */
  readonly migration: string
  /** Ids of the master keys under which something is sealed. */
  readonly keys: readonly string[]
  readonly sums: DatabaseSums
}

export interface DatabaseSums {
  readonly users: number
  readonly tokens: number
  readonly channels: number
  /** Charged requests. */
  readonly charges: number
  /** Balance of all users together, in mq. */
  readonly balance: bigint
}

/** Reads a SQLite database in several statements: if others write to it, the parts may be from different moments. */
export async function readContents(db: Kysely<Schema>): Promise<DatabaseContents> {
  const { rows } = await sql<{ database: string; migration: string }>`
    select id as database, (select max(name) from applied_migration) as migration from record_log`.execute(db)
  const found = rows[0]
  if (found === undefined) throw new Error('the database has no id')
  return { ...found, keys: (await missingKeys(db, [])).toSorted(), sums: await readSums(db) }
}

/** The part that is the same on both engines. */
export async function readSums(db: Kysely<Schema>): Promise<DatabaseSums> {
  type Aggregate = number | bigint | string | null
  const { rows } = await sql<Record<keyof DatabaseSums, Aggregate>>`select
    (select count(*) from ${sql.table('user')}) as users,
    (select count(*) from token) as tokens,
    (select count(*) from channel) as channels,
    (select count(*) from transfer where kind = 'consume') as charges,
    (select sum(posted) from account where kind = 'user') as balance`.execute(db)
  const [sums = { users: 0, tokens: 0, channels: 0, charges: 0, balance: 0 }] = rows
  return {
    users: asNumber(sums.users),
    tokens: asNumber(sums.tokens),
    channels: asNumber(sums.channels),
    charges: asNumber(sums.charges),
    balance: asBigInt(sums.balance),
  }
}
