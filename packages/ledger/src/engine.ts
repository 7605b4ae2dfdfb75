import type { Balance, Operation, Outcome } from './operation.ts'

/**
 * The seam between the ledger and a database. One contract suite runs over every engine.
 *
 * `apply` runs the operations of a batch in order and commits once. Money decisions inside a batch see the effect
 * of the operations before them. Replaying a batch whose commit was uncertain changes nothing the second time.
 * A rejected promise means that nothing of the batch is known to be durable, and that the same batch may be tried again;
 * an operation that can never succeed is answered `invalid` or `out_of_range` instead, so it cannot hold up the others.
 */
export interface LedgerEngine {
  apply(batch: readonly Operation[], replica: string, options?: ApplyOptions): Promise<BatchResult>
  /**
   * Closes the open holds of replicas that are dead (no heartbeat for `deadAfterMs` by the database's clock, named in `dead`, or
   * gone): charges the last recorded progress, otherwise voids. Returns how many it closed.
   */
  recover(options: RecoverOptions): Promise<number>
  /** Registers or renews a replica; false when it has been declared dead and must stop. Call it before `apply`. */
  heartbeat(replica: string): Promise<boolean>
  /** Forgets a replica that shuts down cleanly. Holds it still has open are recovered like a dead replica's. */
  leave(replica: string): Promise<void>
  /** Whether another replica leases quota of one of these accounts, which it gives back when it does not need it. */
  hasOtherLeases(accounts: readonly number[], replica: string): Promise<boolean>
  close(): Promise<void>
}

export interface ApplyOptions {
  /** Part of the batch may have been committed before by this replica. Only then can an operation recognise its own effect. */
  readonly again?: boolean
  /** mq. An event is recorded when a user's balance falls below it. */
  readonly remindBelow?: bigint | undefined
}

export interface RecoverOptions {
  readonly deadAfterMs: number
  /**
   * The replica that checks. Silence counts only for the time in which this replica itself was heard without missing two beats in a
   * row: when the database was away, a machine slept or the database's clock jumped, the others had no chance to be heard either.
   * Without `by`, any silence counts.
   */
  readonly by?: string
  readonly dead: readonly string[]
  /** As for `apply`. */
  readonly remindBelow?: bigint
}

export interface BatchResult {
  /** One outcome per operation, in order. */
  readonly outcomes: readonly Outcome[]
  /** Every user and limit account that the batch touched. */
  readonly balances: readonly Balance[]
}

/** How long a dead replica is remembered, so that it is told to stop if it wakes up. */
export const REMEMBER_DEAD_MS = 86_400_000
/** Two beats in a row: whatever kept a replica from the database for this long may have affected the others as well. */
export const KEPT_AWAY_MS = 20_000
