import { ROLE } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { changesSomething } from '@sluice/contract/route'
import { type AuditEntry, beginAuditCall, endAuditCall } from '@sluice/store/queries/audit/audit'
import type { AnyAnswer, AnyCall, Binding } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import { byRowId, createdBy, readTarget, type Target, targetOf } from './subjects.ts'
import { difference, inputValues, type Values } from './values.ts'

/** Runs a call and records it if an administrator changes something. */
export type Recorder = (spec: Binding['spec'], call: AnyCall, run: Run) => Promise<AnyAnswer | Refusal>

type Run = () => Promise<AnyAnswer | Refusal>

export type RecorderDeps = Pick<SharedPorts, 'database' | 'vault' | 'now' | 'newId' | 'clientAddress' | 'report'>

/**
 * Records every change by an administrator or root, whatever its handler does, so that no new route can forget it. The call is
 * stored before its handler runs and becomes an audit row when it ends; if the process dies in between, the row says that the
 * outcome is unknown. A call that cannot be stored does not run.
 */
export function createRecorder(deps: RecorderDeps): Recorder {
  const db = deps.database.kysely

  const finish = async (entry: AuditEntry): Promise<void> => {
    try {
      await endAuditCall(db, deps.vault, entry, deps.now())
    } catch (error) {
      // The change is made and its beginning is stored, so its row will be added with an unknown outcome.
      const [method = '', path = ''] = entry.action.split(' ')
      deps.report(error, { method, path })
    }
  }

  return async (spec, call, run) => {
    if (!isOnRecord(spec, call)) return await run()
    const target = await byRowId(deps.database, targetOf(spec, call))
    const before = await readTarget(deps.database, target)
    const begun: AuditEntry = {
      call_id: deps.newId(),
      begun_ms: deps.now(),
      actor_id: call.caller.id,
      actor_name: call.caller.username,
      actor_role: call.caller.role,
      address: deps.clientAddress(call.context),
      action: `${spec.method} ${spec.path}`,
      outcome: 'unknown',
      target_kind: target.kind,
      target_id: target.id,
      before_values: JSON.stringify(before ?? {}),
      after_values: '{}',
    }
    await beginAuditCall(db, begun)
    try {
      const result = await run()
      await finish({ ...begun, ...(await ended(deps.database, result, target, before, call)) })
      return result
    } catch (error) {
      await finish({ ...begun, outcome: 'failed' })
      throw error
    }
  }
}

async function ended(
  database: RecorderDeps['database'],
  result: AnyAnswer | Refusal,
  target: Target,
  before: Values | undefined,
  call: AnyCall,
): Promise<Partial<AuditEntry>> {
  const input = { ...inputValues(call.query), ...inputValues(call.body) }
  if (isRefusal(result)) {
    // A call of several steps might have made some changes before it was refused.
    const changed = difference(before, await readTarget(database, target))
    return {
      outcome: 'refused',
      before_values: JSON.stringify(changed.before),
      after_values: JSON.stringify({ ...input, ...changed.after, refused: result.code }),
    }
  }
  const actual = await byRowId(database, createdBy(target, result))
  const after = await readTarget(database, actual)
  const changed = difference(before, after)
  const isSeen = Object.keys(changed.before).length + Object.keys(changed.after).length > 0
  const answer = typeof result.data === 'number' ? { answer: result.data } : {}
  return {
    outcome: 'done',
    target_id: actual.id,
    before_values: JSON.stringify(changed.before),
    after_values: JSON.stringify(isSeen ? changed.after : { ...input, ...answer }),
  }
}

/** Reads and users' changes to their own objects are not recorded. */
function isOnRecord(
  spec: Binding['spec'],
  call: AnyCall,
): call is AnyCall & { readonly caller: NonNullable<AnyCall['caller']> } {
  return call.caller !== undefined && call.caller.role >= ROLE.admin && changesSomething(spec)
}
