import type { Database } from '@sluice/store/database'
import type { Purpose, Vault } from '@sluice/store/vault'
import { sql } from 'kysely'

type Row = Readonly<Record<string, unknown>>
export type InstanceState = Readonly<Record<string, readonly Row[]>>

/** Tables that every run writes, whatever its outcome, and derived ones whose order varies. */
const LEFT_OUT = [
  'import_run',
  'lease',
  'replica',
  'record_log',
  'snapshot_version',
  'applied_migration',
  'database_move',
]
const TIMES = /^(created_time|at_ms|last_ms|since_ms|begun_ms|ended_ms|seen_ms|until_ms)$/
const PURPOSES: Readonly<Record<string, Purpose>> = {
  'channel.key_sealed': 'channel_key',
  'token.key_sealed': 'token_key',
  'redemption.key_sealed': 'redemption',
  'user.totp_sealed': 'totp',
}

/** Every table, comparable between instances: no times or runs, sealed columns decrypted, rows sorted, accounts named by owner. */
export async function instanceState({ engine, kysely }: Database, vault: Vault): Promise<InstanceState> {
  const names = await (
    engine === 'sqlite'
      ? sql<{
          name: string
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name`
      : sql<{ name: string }>`select relname as name from pg_class where relnamespace = current_schema()::regnamespace
        and relkind in ('r', 'p') and not relispartition order by relname`
  ).execute(kysely)
  const accounts = await sql<{ id: number; kind: string; owner_id: number }>`
    select id, kind, owner_id from account`.execute(kysely)
  const owners = new Map(accounts.rows.map(({ id, kind, owner_id: owner }) => [id, `${kind} ${owner}`]))
  const state: Record<string, readonly Row[]> = {}
  for (const { name } of names.rows) {
    if (LEFT_OUT.includes(name)) continue
    const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(kysely)
    const told = rows.map((row) => readable(name, row, owners, vault))
    state[name] = told.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return state
}

function readable(table: string, row: Row, owners: ReadonlyMap<number, string>, vault: Vault): Row {
  const entries = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
    if (TIMES.test(column)) return []
    if (table === 'account' && column === 'id') return []
    if (['debit', 'credit', 'limit_account', 'account', 'account_id'].includes(column)) {
      return [[column, typeof value === 'number' ? (owners.get(value) ?? value) : value]]
    }
    const purpose = PURPOSES[`${table}.${column}`]
    if (purpose !== undefined && typeof value === 'string') {
      const opened = vault.open(purpose, value)
      return [[column, opened.ok ? opened.text : value]]
    }
    return [[column, typeof value === 'bigint' ? `${value}n` : value]]
  })
  return Object.fromEntries(entries)
}
