import { MS_PER_DAY } from '../budget-window.ts'
import type { BatchResult, LedgerEngine } from '../engine.ts'
import type { Operation } from '../operation.ts'
import { applyOperation, mustFlush } from '../rules/apply-operation.ts'
import type { BatchContext } from '../rules/batch-context.ts'
import { firstCountedDay } from '../rules/budgets.ts'
import { noteEvents } from '../rules/events.ts'
import type { RecoverOperation } from '../rules/recovery.ts'
import { WorkingSet } from '../rules/working-set.ts'
import { readBatch, type ReadMore, writeBatch } from './postgres-batch.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { createPreparation } from './postgres-prepare.ts'
import { ChangedMeanwhile, DailySumsNeeded } from './postgres-source.ts'
import { type Query, STATEMENTS } from './postgres-statements.ts'

/** Holds of dead replicas closed in one transaction. */
const MAX_RECOVERED = 500
/** Immediate retries of a transaction that conflicts with another replica. */
const MAX_CONFLICTS = 5
/** Serialization failure and deadlock: the whole transaction must be repeated. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01'])
const NUMERIC_OUT_OF_RANGE = '22003'

/**
 * The ledger in PostgreSQL, on its own connection. A batch locks the accounts it touches in id order, decides in memory, and writes
 * with a few multi-row statements. The system accounts are not locked: all batches of all replicas touch them and no decision
 * depends on them, so their changes are simply added.
 */
export function openPostgresEngine(connection: PostgresConnection): LedgerEngine {
  const query: Query = async (name, values) =>
    (await connection.query({ name: `ledger_${name}`, text: STATEMENTS[name], ...(values && { values }) })).rows
  const alone = createMutex()
  const batches: Batches = { query, prepare: createPreparation(query) }
  return {
    apply: (batch, replica, { again = false, remindBelow } = {}) =>
      alone(() => decide(batches, batch, { replica, again, remindBelow })),
    recover: async ({ deadAfterMs, by = null, dead, remindBelow }) => {
      await alone(async () => {
        await query('declareDead', [deadAfterMs, dead, by])
        await query('forgetDead')
      })
      let total = 0
      for (;;) {
        const recovered = await alone(() => recoverSome(batches, remindBelow))
        if (recovered === 0) return total
        total += recovered
      }
    },
    heartbeat: (replica) => alone(async () => (await query('heartbeat', [replica])).length > 0),
    leave: (replica) =>
      alone(async () => {
        await query('leave', [replica])
      }),
    hasOtherLeases: (accounts, replica) =>
      alone(async () => (await query('findLeases', [accounts, replica])).length > 0),
    close: () => connection.close(),
  }
}

/** The connection's statements, and the preparation of batches. */
interface Batches {
  readonly query: Query
  readonly prepare: ReturnType<typeof createPreparation>
}

async function recoverSome(batches: Batches, remindBelow: bigint | undefined): Promise<number> {
  const orphans = await batches.query('findOrphans', [MAX_RECOVERED])
  if (orphans.length === 0) return 0
  const batch = orphans.map((row) => ({ op: 'recover' as const, requestId: row['request_id'] as string }))
  const { outcomes } = await decide(batches, batch, { replica: '', again: false, remindBelow })
  return outcomes.filter(({ outcome }) => outcome === 'done').length
}

async function decide(
  batches: Batches,
  batch: readonly (Operation | RecoverOperation)[],
  context: BatchContext,
): Promise<BatchResult> {
  let more: ReadMore = { lockSystem: false, sumsSince: undefined }
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await attempt(batches, batch, context, more)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // A system account would overflow: decide again with its true balance, and refuse what does not fit.
      const exact = code === NUMERIC_OUT_OF_RANGE && !more.lockSystem
      if (exact) more = { ...more, lockSystem: true }
      else if (error instanceof DailySumsNeeded && error.since < (more.sumsSince ?? Infinity)) {
        // Also covers the windows of other periods that contain this day, which would be requested next.
        more = { ...more, sumsSince: firstCountedDay(error.since * MS_PER_DAY) }
      } else if (conflicts >= MAX_CONFLICTS || !(error instanceof ChangedMeanwhile || CONFLICTS.has(code))) throw error
    }
  }
}

async function attempt(
  { query, prepare }: Batches,
  batch: readonly (Operation | RecoverOperation)[],
  context: BatchContext,
  more: ReadMore,
): Promise<BatchResult> {
  const prepared = await prepare(batch)
  // Two round trips: statements are sent without waiting for those before them, and the server aborts all that follow a failure.
  try {
    const [, source] = await Promise.all([query('begin'), readBatch(query, prepared, more)])
    const set = new WorkingSet(source)
    const outcomes = batch.map((operation) => applyOperation(set, operation, context))
    noteEvents(set, context)
    const written = writeBatch(query, set)
    const unflushed = mustFlush(batch) ? undefined : query('commitSoon')
    const committed = query('commit')
    // It also fails when a statement before it has failed, and that one knows why.
    committed.catch(() => {})
    await Promise.all([written, unflushed])
    await committed
    return { outcomes, balances: set.balances() }
  } catch (error) {
    await query('rollback').catch(() => {})
    throw error
  }
}

/** One at a time: a connection has room for one transaction. */
function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
