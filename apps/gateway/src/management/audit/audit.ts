import { AUDIT_OUTCOMES, type AuditEntry } from '@sluice/contract/audit'
import * as routes from '@sluice/contract/routes/audit'
import { pageOf } from '@sluice/store/paging'
import { type AuditRow, listAudit } from '@sluice/store/queries/audit/audit'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import type { Values } from './values.ts'

export type AuditDeps = Pick<SharedPorts, 'database'>

export function auditRoutes(deps: AuditDeps): readonly Binding[] {
  return [
    bind(routes.listAudit, async ({ query }) => {
      const filter = {
        actor: given(query.actor),
        action: given(query.action),
        targetKind: given(query.target_kind),
        targetId: given(query.target_id),
        from: query.start_timestamp > 0 ? query.start_timestamp * 1_000 : undefined,
        to: query.end_timestamp > 0 ? query.end_timestamp * 1_000 + 999 : undefined,
      }
      const { rows, total } = await listAudit(deps.database.kysely, filter, pageOf(query))
      return { data: rows.map(auditOnWire), total }
    }),
  ]
}

const given = (text: string): string | undefined => (text === '' ? undefined : text)

function auditOnWire(row: AuditRow): AuditEntry {
  return {
    id: row.seq,
    created_at: Math.floor(row.begun_ms / 1_000),
    actor_id: row.actor_id,
    actor_name: row.actor_name,
    actor_role: row.actor_role,
    address: row.address,
    action: row.action,
    outcome: AUDIT_OUTCOMES.find((outcome) => outcome === row.outcome) ?? 'unknown',
    target_kind: row.target_kind,
    target_id: row.target_id,
    before: JSON.parse(row.before_values) as Values,
    after: JSON.parse(row.after_values) as Values,
    hash: row.hash,
  }
}
