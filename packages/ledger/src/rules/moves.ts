import { PLAIN_LOG } from '@sluice/contract/fields/log'
import type { AccountOperation, ManagementLogRow, MoveKind, MoveOperation, Outcome } from '../operation.ts'
import { fitsInt64, mq } from '../units.ts'
import type { BatchContext } from './batch-context.ts'
import { DONE, invalid, OUT_OF_RANGE, STALE } from './outcomes.ts'
import type { Account, PricedTokens } from './rows.ts'
import type { WorkingSet } from './working-set.ts'

export const NO_TOKENS: PricedTokens = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 }

/** Kinds that may reduce a balance. */
const TAKING: ReadonlySet<MoveKind> = new Set<MoveKind>(['admin-adjust', 'limit-set', 'import'])

/** Moves money between a user and the system, or changes what a token's limit has left; once per (id, kind). */
export function applyMove(set: WorkingSet, operation: MoveOperation, { again }: BatchContext): Outcome {
  const { requestId, kind, actor, at } = operation
  const account = set.account(operation.account)
  if (account?.kind !== (kind === 'limit-set' ? 'token' : 'user')) {
    return invalid(`${kind} needs ${kind === 'limit-set' ? 'a limit account of a token' : 'a user account'}`)
  }
  const before = set.moved(requestId, kind)
  if (before !== undefined) {
    const own = again && before.account === account.id && before.actor === actor && before.atMs === at
    return own && set.claimMove(requestId, kind) ? DONE : STALE
  }
  if (kind === 'import' && operation.mode !== 'add') return invalid('import only adds')
  const step = operation.mode === 'set' ? operation.amount - account.posted : operation.amount
  if (step < 0n && !TAKING.has(kind)) return invalid(`${kind} must not take away`)
  if (step === 0n) return STALE
  const outcome =
    kind === 'limit-set' ? changeLimit(set, account, operation, step) : changeFunds(set, account, operation, step)
  if (outcome !== DONE) return outcome
  set.setMoved(requestId, kind, { account: account.id, actor, atMs: at })
  // The difference of a `set` is known only here.
  if (operation.log !== undefined) logManagement(set, requestId, { ...operation.log, amount: mq(step) })
  return DONE
}

export function applyAccount(set: WorkingSet, { id, unlimited }: AccountOperation): Outcome {
  const account = set.accountOf(id.kind, id.owner)
  account.unlimited = unlimited
  return { outcome: 'account', account: account.id }
}

function changeLimit(set: WorkingSet, limit: Account, operation: MoveOperation, step: bigint): Outcome {
  if (!fitsInt64(step) || !fitsInt64(limit.posted + step)) return OUT_OF_RANGE
  limit.posted += step
  pushTransfer(set, operation, { debit: null, credit: null, limitAccount: limit.id, amount: step })
  return DONE
}

function changeFunds(set: WorkingSet, user: Account, operation: MoveOperation, step: bigint): Outcome {
  const system = operation.kind === 'import' ? set.equity : set.issuance
  const amount = step > 0n ? step : -step
  if (!fitsInt64(amount) || !fitsInt64(user.posted + step) || !fitsInt64(system.posted - step)) return OUT_OF_RANGE
  user.posted += step
  system.posted -= step
  const [debit, credit] = step > 0n ? [system.id, user.id] : [user.id, system.id]
  pushTransfer(set, operation, { debit, credit, limitAccount: null, amount })
  return DONE
}

function pushTransfer(
  set: WorkingSet,
  { requestId, kind, actor, reason, at }: MoveOperation,
  moved: { debit: number | null; credit: number | null; limitAccount: number | null; amount: bigint },
): void {
  set.transfers.push({
    requestId,
    kind,
    ...moved,
    priceId: null,
    tokens: NO_TOKENS,
    channelId: 0,
    model: '',
    actor,
    reason,
    atMs: at,
    refersTo: null,
  })
}

export function logManagement(set: WorkingSet, requestId: string, log: ManagementLogRow): void {
  const { createdAt, type, userId, username, amount, content } = log
  set.logs.push({ ...PLAIN_LOG, requestId, createdAt, type, userId, username, amount, content })
}
