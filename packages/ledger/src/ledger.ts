import type { AccountKind, Balance, MoveOperation, Settlement, TraceRow } from './operation.ts'
import type { Mq } from './units.ts'

/** A balance this process saw after one of its own commits. For admission only, never authoritative. */
export interface KnownBalance extends Balance {
  /** Unix milliseconds when it was seen. */
  readonly seen: number
}

/** What the rest of the gateway knows of money. Promises resolve after the commit that made the answer durable. */
export interface Ledger {
  hold(request: { requestId: string; account: number; limitAccount: number; amount: Mq }): Promise<'held' | 'user_quota' | 'token_quota' | 'stale'>
  extend(requestId: string, amount: Mq): Promise<'held' | 'user_quota' | 'token_quota' | 'stale'>
  renew(progress: Settlement): Promise<void>
  settle(settlement: Settlement): Promise<void>
  void(requestId: string, trace: TraceRow): Promise<void>
  /** False when nothing moved: already moved once under this id, or a difference of zero. */
  move(movement: Omit<MoveOperation, 'op' | 'at'>): Promise<boolean>
  /** Opens the account if needed and answers its id. */
  openAccount(kind: AccountKind, owner: number, unlimited: boolean): Promise<number>
  /** Undefined when this process has not touched the account yet. */
  knownBalance(account: number): KnownBalance | undefined
  /** Operations not yet answered; the edge refuses early above its cap. */
  readonly backlog: number
  /** Waits until everything queued is answered, then stops timers and closes the engine. */
  close(): Promise<void>
}
