import { createHash } from 'node:crypto'
import type { AuditTable } from './schema/audit.ts'
import type { Vault } from './vault.ts'

/** The end of the chain; `seq` 0 and no hash while it is empty. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

export const EMPTY_CHAIN: AuditHead = { seq: 0, hash: '' }

/** SHA-256 over every column but the hash itself, in the order of the table, as a JSON array. */
export function auditHash(row: Omit<AuditTable, 'hash'>): string {
  const columns = [
    row.seq,
    row.call_id,
    row.begun_ms,
    row.actor_id,
    row.actor_name,
    row.actor_role,
    row.address,
    row.action,
    row.outcome,
    row.target_kind,
    row.target_id,
    row.before_values,
    row.after_values,
    row.previous_hash,
  ]
  return createHash('sha256').update(JSON.stringify(columns)).digest('hex')
}

export function sealHead(vault: Vault, { seq, hash }: AuditHead): string {
  return vault.seal('audit_head', `${seq}:${hash}`)
}

/** Undefined when the text was not sealed by us. */
export function openHead(vault: Vault, sealed: string): AuditHead | undefined {
  const opened = vault.open('audit_head', sealed)
  if (!opened.ok) return undefined
  const [seq = '', hash = ''] = opened.text.split(':')
  return { seq: Number(seq), hash }
}
