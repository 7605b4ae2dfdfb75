import type { Kysely } from 'kysely'
import { auditHash, type AuditHead, EMPTY_CHAIN, openHead } from './audit-chain.ts'
import type { AuditTable } from './schema/audit.ts'
import type { Schema } from './schema/schema.ts'
import type { Vault } from './vault.ts'

/** `rows` were read; `problem` names the first wrong row. `open` calls are in progress, or their process died. */
export interface AuditResult {
  readonly rows: number
  readonly open: number
  readonly problem?: string
}

const BATCH = 1_000

/**
 * Proves the audit log: the numbers have no gap, each row has the right hash over its content and the previous row's hash, and only
 * a holder of the master key can have written the end. Run it on a connection that sees one snapshot.
 */
export async function verifyAudit(db: Kysely<Schema>, vault: Vault): Promise<AuditResult> {
  const stored = await db.selectFrom('audit_head').select('head_sealed').execute()
  const open = (await db.selectFrom('audit_call').select('call_id').execute()).length
  let end: AuditHead = EMPTY_CHAIN
  for (;;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', end.seq)
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    for (const row of rows) {
      const problem = rowProblem(row, end)
      if (problem !== undefined) return { rows: end.seq, open, problem }
      end = { seq: row.seq, hash: row.hash }
    }
    if (rows.length < BATCH) break
  }
  const problem = endProblem(stored[0]?.head_sealed, end, vault)
  return { rows: end.seq, open, ...(problem === undefined ? {} : { problem }) }
}

function rowProblem(row: AuditTable, before: AuditHead): string | undefined {
  if (row.seq !== before.seq + 1) return `row ${before.seq + 1} is missing`
  if (row.previous_hash !== before.hash) return `row ${row.seq} does not follow row ${before.seq}`
  if (auditHash(row) !== row.hash) return `row ${row.seq} was changed`
  return undefined
}

function endProblem(sealed: string | undefined, end: AuditHead, vault: Vault): string | undefined {
  const head = sealed === undefined ? EMPTY_CHAIN : openHead(vault, sealed)
  if (head === undefined) return 'the end of the chain was not sealed with the current master key'
  if (head.seq > end.seq) return `row ${end.seq + 1} is missing: ${head.seq} rows were written`
  if (head.seq < end.seq) return `row ${head.seq + 1} was added by someone else`
  return head.hash === end.hash ? undefined : `row ${end.seq} is not the last row that was written`
}
