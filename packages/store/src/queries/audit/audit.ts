import type { Kysely, Transaction } from 'kysely'
import { auditHash, type AuditHead, EMPTY_CHAIN, openHead, sealHead } from '../../audit-chain.ts'
import { CLOCKS_DIFFER_MS } from '../../clocks.ts'
import { type Page, readPage } from '../../paging.ts'
import type { AuditTable } from '../../schema/audit.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Vault } from '../../vault.ts'

export type AuditEntry = Omit<AuditTable, 'seq' | 'previous_hash' | 'hash'>

export type AuditRow = Readonly<AuditTable>

export interface AuditFilter {
  readonly actor: string | undefined
  readonly action: string | undefined
  readonly targetKind: string | undefined
  readonly targetId: string | undefined
  /** Unix milliseconds, inclusive. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Calls take seconds: one open for longer, or begun by a clock that was ahead, belongs to a process that ended. */
const ABANDONED_MS = 600_000
/** How many abandoned calls one append also records. */
const ADOPTED_AT_ONCE = 100
/** Rows in one statement; each binds 17 values, and SQLite takes 32,766. */
const ROWS = 1_000
const HEAD = 'head'

/** Records that a call begins. The call must not change anything before this has returned. */
export async function beginAuditCall(db: Kysely<Schema>, entry: AuditEntry): Promise<void> {
  const { call_id, begun_ms } = entry
  await db
    .insertInto('audit_call')
    .values({ call_id, begun_ms, entry: JSON.stringify(entry) })
    .execute()
}

/**
 * Adds the row of a call that has ended, and rows with outcome `unknown` for calls whose process died. The lock on the head makes
 * several processes take turns. Throws when the head cannot be opened with the vault's keys: a chain that was tampered with is not
 * continued.
 */
export async function endAuditCall(db: Kysely<Schema>, vault: Vault, entry: AuditEntry, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('audit_call').where('call_id', '=', entry.call_id).execute()
    await appendRows(trx, vault, [...(await takeAbandoned(trx, now)), entry])
  })
}

/** Adds rows for changes in the caller's transaction, so that they are recorded if and only if they happen. */
export async function recordChanges(
  trx: Transaction<Schema>,
  vault: Vault,
  entries: readonly AuditEntry[],
): Promise<void> {
  await appendRows(trx, vault, entries)
}

/** Records calls whose process died, in case no later call does. */
export async function adoptAuditCalls(db: Kysely<Schema>, vault: Vault, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => appendRows(trx, vault, await takeAbandoned(trx, now)))
}

async function takeAbandoned(trx: Transaction<Schema>, now: number): Promise<readonly AuditEntry[]> {
  const old = trx
    .selectFrom('audit_call')
    .select('call_id')
    .where((eb) => eb.or([eb('begun_ms', '<', now - ABANDONED_MS), eb('begun_ms', '>', now + CLOCKS_DIFFER_MS)]))
    .orderBy('begun_ms')
    .limit(ADOPTED_AT_ONCE)
  const rows = await trx.deleteFrom('audit_call').where('call_id', 'in', old).returning('entry').execute()
  const entries = rows.map(({ entry }): AuditEntry => ({ ...(JSON.parse(entry) as AuditEntry), outcome: 'unknown' }))
  return entries.toSorted((a, b) => a.begun_ms - b.begun_ms)
}

async function appendRows(trx: Transaction<Schema>, vault: Vault, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await trx
    .insertInto('audit_head')
    .values({ name: HEAD, head_sealed: sealHead(vault, EMPTY_CHAIN) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  let head = await lockHead(trx, vault)
  const rows = entries.map((entry) => {
    const row = { ...entry, seq: head.seq + 1, previous_hash: head.hash }
    head = { seq: row.seq, hash: auditHash(row) }
    return { ...row, hash: head.hash }
  })
  for (let first = 0; first < rows.length; first += ROWS) {
    await trx
      .insertInto('audit')
      .values(rows.slice(first, first + ROWS))
      .execute()
  }
  await trx
    .updateTable('audit_head')
    .set({ head_sealed: sealHead(vault, head) })
    .execute()
}

/** An update that changes nothing takes the row's lock on both engines. */
async function lockHead(trx: Transaction<Schema>, vault: Vault): Promise<AuditHead> {
  const { head_sealed } = await trx
    .updateTable('audit_head')
    .set({ name: HEAD })
    .where('name', '=', HEAD)
    .returning('head_sealed')
    .executeTakeFirstOrThrow()
  const head = openHead(vault, head_sealed)
  if (head === undefined) throw new Error('the head of the audit log cannot be decrypted; see "sluice audit verify"')
  return head
}

/** One page, newest first. */
export async function listAudit(
  db: Kysely<Schema>,
  filter: AuditFilter,
  page: Page,
): Promise<{ readonly rows: readonly AuditRow[]; readonly total: number }> {
  const conditions = filtered(db, filter)
  return await readPage(conditions.selectAll().orderBy('seq', 'desc'), conditions, page)
}

function filtered(db: Kysely<Schema>, filter: AuditFilter) {
  const { actor, action, targetKind, targetId, from, to } = filter
  return db
    .selectFrom('audit')
    .$if(actor !== undefined, (query) => query.where('actor_name', '=', actor ?? ''))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(targetKind !== undefined, (query) => query.where('target_kind', '=', targetKind ?? ''))
    .$if(targetId !== undefined, (query) => query.where('target_id', '=', targetId ?? ''))
    .$if(from !== undefined, (query) => query.where('begun_ms', '>=', from ?? 0))
    .$if(to !== undefined, (query) => query.where('begun_ms', '<=', to ?? 0))
}
