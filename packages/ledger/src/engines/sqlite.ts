import { type ApplyOptions, type BatchResult, KEPT_AWAY_MS, type RecoverOptions, REMEMBER_DEAD_MS } from '../engine.ts'
import { LEASE_PREFIX, type Operation, type Outcome } from '../operation.ts'
import { applyOperation, mustFlush } from '../rules/apply-operation.ts'
import type { BatchContext } from '../rules/batch-context.ts'
import { noteEvents } from '../rules/events.ts'
import type { RecoverOperation } from '../rules/recovery.ts'
import { WorkingSet } from '../rules/working-set.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { SqliteSource } from './sqlite-source.ts'
import { createSqliteWriter } from './sqlite-write.ts'

/**
 * The ledger in SQLite, synchronous, on its own connection in a database thread. The connection provides durability (write-ahead
 * log, commits flushed as `mustFlush` says). For the calls, see `LedgerEngine`.
 */
export interface SqliteLedger {
  apply(batch: readonly Operation[], replica: string, options?: ApplyOptions): BatchResult
  /** Closes at most `MAX_RECOVERED` holds of dead replicas and returns how many, so that batches get their turn in between. */
  recover(options: RecoverOptions): number
  heartbeat(replica: string): boolean
  leave(replica: string): void
  hasOtherLeases(accounts: readonly number[], replica: string): boolean
}

const MAX_RECOVERED = 500
/** The replica clock is the database's. */
const NOW_MS = `cast(unixepoch('subsec') * 1000 as integer)`

export function createSqliteLedger(connection: SqliteConnection): SqliteLedger {
  const transact = createTransactions(connection)
  const source = new SqliteSource(connection)
  const write = createSqliteWriter(connection)
  const replicas = createReplicas(connection)

  const decide = (batch: readonly (Operation | RecoverOperation)[], context: BatchContext): BatchResult =>
    transact(
      mustFlush(batch),
      () => {
        source.refresh()
        const set = new WorkingSet(source)
        const outcomes: Outcome[] = []
        for (const operation of batch) outcomes.push(applyOperation(set, operation, context))
        noteEvents(set, context)
        write(set)
        return { outcomes, balances: set.balances() }
      },
      () => source.forget(),
    )

  return {
    apply: (batch, replica, { again = false, remindBelow } = {}) => decide(batch, { replica, again, remindBelow }),
    recover: ({ deadAfterMs, by = null, dead, remindBelow }) => {
      transact(true, () => replicas.declareDead(deadAfterMs, by, dead))
      const orphans = replicas.orphans(MAX_RECOVERED)
      if (orphans.length === 0) return 0
      const { outcomes } = decide(
        orphans.map((requestId) => ({ op: 'recover', requestId })),
        { replica: '', again: false, remindBelow },
      )
      return outcomes.filter(({ outcome }) => outcome === 'done').length
    },
    heartbeat: (replica) => replicas.heartbeat(replica),
    leave: (replica) => replicas.leave(replica),
    hasOtherLeases: (accounts, replica) => accounts.some((account) => replicas.hasOtherLeases(account, replica)),
  }
}

type Transact = <T>(flushed: boolean, work: () => T, undo?: () => void) => T

function createTransactions(connection: SqliteConnection): Transact {
  // `immediate`: no other writer can come between the reads and the writes.
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')
  let isFlushing: boolean | undefined
  return (flushed, work, undo) => {
    if (flushed !== isFlushing) {
      // Takes effect when it is compiled, so it cannot be prepared.
      connection.exec(`pragma synchronous = ${flushed ? 'full' : 'normal'}`)
      isFlushing = flushed
    }
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      undo?.()
      try {
        rollback.run()
      } catch {
        // SQLite has already rolled back, as it does when the disk is full.
      }
      throw error
    }
  }
}

function createReplicas(connection: SqliteConnection) {
  const heartbeat = connection.prepare(`
    insert into replica (id, heartbeat_ms, started_ms, dead) values (?, ${NOW_MS}, ${NOW_MS}, 0)
    on conflict (id) do update set heartbeat_ms = excluded.heartbeat_ms, started_ms = case
      when excluded.heartbeat_ms - heartbeat_ms between 0 and ${KEPT_AWAY_MS} then started_ms
      else excluded.heartbeat_ms end
    where dead = 0
    returning id`)
  const leave = connection.prepare('delete from replica where id = ?')
  const declareSilent = connection.prepare(
    `update replica set dead = 1 where dead = 0 and heartbeat_ms <= ${NOW_MS} - ?1 and (?2 is null
      or exists (select 1 from replica own where own.id = ?2 and own.started_ms <= ${NOW_MS} - ?1))`,
  )
  const declareNamed = connection.prepare('update replica set dead = 1 where dead = 0 and id = ?')
  const forget = connection.prepare(`
    delete from replica where dead = 1 and heartbeat_ms < ${NOW_MS} - ${REMEMBER_DEAD_MS}
      and not exists (select 1 from hold where hold.replica = replica.id)`)
  const orphans = connection.prepare(`
    select hold.request_id from hold left join replica on replica.id = hold.replica
    where replica.id is null or replica.dead = 1 order by hold.request_id limit ?`)
  const leases = connection.prepare(
    `select 1 from hold where request_id like '${LEASE_PREFIX}%' and replica <> ?2 and ?1 in (account, limit_account) limit 1`,
  )
  return {
    hasOtherLeases: (account: number, replica: string): boolean => leases.values(account, replica).length > 0,
    heartbeat: (replica: string): boolean => heartbeat.values(replica).length > 0,
    leave: (replica: string): void => {
      leave.run(replica)
    },
    declareDead: (deadAfterMs: number, by: string | null, dead: readonly string[]): void => {
      declareSilent.run(deadAfterMs, by)
      for (const replica of dead) declareNamed.run(replica)
      forget.run()
    },
    orphans: (limit: number): string[] => orphans.values(limit).map(([requestId]) => requestId as string),
  }
}
