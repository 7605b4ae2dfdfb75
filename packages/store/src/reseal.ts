import { type Kysely, type RawBuilder, sql } from 'kysely'
import { OPTION_DEFINITIONS } from './options/option-definitions.ts'
import type { Schema } from './schema/schema.ts'
import type { Purpose, Vault } from './vault.ts'

/** A column that holds sealed texts, and the unique column by which its rows are found. */
interface SealedColumn {
  readonly table: keyof Schema
  readonly id: string
  readonly column: string
  readonly purpose: Purpose
}

/** Every place where sealed texts are stored for longer than minutes. Tests fail if a column named `*_sealed` is missing here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'channel', id: 'id', column: 'key_sealed', purpose: 'channel_key' },
  { table: 'token', id: 'id', column: 'key_sealed', purpose: 'token_key' },
  { table: 'user', id: 'id', column: 'totp_sealed', purpose: 'totp' },
  { table: 'redemption', id: 'id', column: 'key_sealed', purpose: 'redemption' },
  { table: 'option', id: 'key', column: 'value', purpose: 'option' },
  { table: 'email_code', id: 'email', column: 'code_sealed', purpose: 'email_code' },
  { table: 'background_response', id: 'id', column: 'response_sealed', purpose: 'background_response' },
  { table: 'own_key', id: 'id', column: 'key_sealed', purpose: 'own_key' },
  { table: 'outbox', id: 'id', column: 'content_sealed', purpose: 'message' },
  { table: 'audit_head', id: 'name', column: 'head_sealed', purpose: 'audit_head' },
]

/** Counts of one column's texts that were not sealed under the newest key. */
export interface ResealCount {
  /** `channel.key_sealed` */
  readonly column: string
  readonly resealed: number
  /** Changed in the meantime by another process, which resealed or removed them. */
  readonly overtaken: number
  /** Ids of the first few texts that no current key opens; `unreadableCount` has their total number. */
  readonly unreadable: readonly string[]
  readonly unreadableCount: number
}

const BATCH = 200
const NAMED_IDS = 10

/**
 * Reseals, column by column, every stored secret that is not under the newest master key. Transactions are short, and a row is
 * written only if it is unchanged since it was read, so this can run next to working gateways, be interrupted and be repeated.
 */
export async function* resealAll(db: Kysely<Schema>, vault: Vault): AsyncGenerator<ResealCount> {
  for (const column of SEALED_COLUMNS) yield await resealColumn(db, vault, column)
}

async function resealColumn(db: Kysely<Schema>, vault: Vault, column: SealedColumn): Promise<ResealCount> {
  let resealed = 0
  let overtaken = 0
  const unreadable: string[] = []
  let unreadableCount = 0
  let last: number | string | undefined
  for (;;) {
    const rows = await oldRows(db, vault, column, last)
    await db.transaction().execute(async (trx) => {
      for (const { id, sealed } of rows) {
        const opened = vault.open(column.purpose, sealed)
        if (!opened.ok) {
          unreadableCount += 1
          if (unreadable.length < NAMED_IDS) unreadable.push(String(id))
          continue
        }
        const { numAffectedRows } = await sql`
          update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${vault.seal(column.purpose, opened.text)}
          where ${sql.ref(column.id)} = ${id} and ${sql.ref(column.column)} = ${sealed}`.execute(trx)
        if (numAffectedRows === 1n) resealed += 1
        else overtaken += 1
      }
    })
    last = rows.at(-1)?.id
    if (rows.length < BATCH)
      return { column: `${column.table}.${column.column}`, resealed, overtaken, unreadable, unreadableCount }
  }
}

async function oldRows(
  db: Kysely<Schema>,
  vault: Vault,
  { table, id, column }: SealedColumn,
  after: number | string | undefined,
): Promise<readonly { readonly id: number | string; readonly sealed: string }[]> {
  const beyond = after === undefined ? sql`` : sql`and ${sql.ref(id)} > ${after}`
  const { rows } = await sql<{ id: number | string; sealed: string }>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} <> '' and ${sql.ref(column)} not like ${`v1.${vault.keyId}.%`} ${beyond} ${sealedOnly({ table, id })}
    order by ${sql.ref(id)} limit ${BATCH}`.execute(db)
  return rows
}

/** Only secret options are sealed; another one might hold a text that looks sealed. */
function sealedOnly({ table, id }: Pick<SealedColumn, 'table' | 'id'>): RawBuilder<unknown> {
  if (table !== 'option') return sql``
  const secrets = Object.entries(OPTION_DEFINITIONS).flatMap(([key, { type }]) => (type === 'secret' ? [key] : []))
  return sql`and ${sql.ref(id)} in (${sql.join(secrets)})`
}

/** Ids of the master keys, other than those in `known`, under which something is sealed. */
export async function missingKeys(db: Kysely<Schema>, known: readonly string[]): Promise<readonly string[]> {
  const missing = new Set<string>()
  for (const { table, id, column } of SEALED_COLUMNS) {
    const text = sql.ref(column)
    const others = known.map((key) => sql`and ${text} not like ${`v1.${key}.%`}`)
    const { rows } = await sql<{ key: string }>`
      select distinct substr(${text}, 4, 8) as key from ${sql.table(table)}
      where ${text} like ${'v1.________.%'} ${sql.join(others, sql` `)} ${sealedOnly({ table, id })}`.execute(db)
    for (const { key } of rows) missing.add(key)
  }
  return [...missing]
}

/** Stored secrets that the vault cannot open although it has their key: they were altered, or sealed for another purpose. */
export interface DamagedSecrets {
  /** `channel.key_sealed` */
  readonly column: string
  /** Ids of the first few. */
  readonly ids: readonly string[]
  readonly count: number
}

/** Tries to open every stored secret, except those under keys that the vault does not have. Writes nothing. */
export async function findDamagedSecrets(db: Kysely<Schema>, vault: Vault): Promise<readonly DamagedSecrets[]> {
  const found: DamagedSecrets[] = []
  for (const sealed of SEALED_COLUMNS) {
    const ids: string[] = []
    for await (const { id, text } of sealedTexts(db, sealed)) {
      const opened = vault.open(sealed.purpose, text)
      if (!opened.ok && opened.reason !== 'unknown_key') ids.push(String(id))
    }
    const column = `${sealed.table}.${sealed.column}`
    if (ids.length > 0) found.push({ column, ids: ids.slice(0, NAMED_IDS), count: ids.length })
  }
  return found
}

async function* sealedTexts(
  db: Kysely<Schema>,
  { table, id, column }: SealedColumn,
): AsyncGenerator<{ readonly id: number | string; readonly text: string }> {
  let last: number | string | undefined
  for (;;) {
    const beyond = last === undefined ? sql`` : sql`and ${sql.ref(id)} > ${last}`
    const { rows } = await sql<{ id: number | string; text: string }>`
      select ${sql.ref(id)} as id, ${sql.ref(column)} as text from ${sql.table(table)}
      where ${sql.ref(column)} <> '' ${beyond} ${sealedOnly({ table, id })}
      order by ${sql.ref(id)} limit ${BATCH}`.execute(db)
    yield* rows
    last = rows.at(-1)?.id
    if (rows.length < BATCH) return
  }
}
