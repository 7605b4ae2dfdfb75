import { type Answer, CommitQueue } from './commit-queue.ts'
import type { LedgerEngine } from './engine.ts'
import { KnownBalances } from './known-balances.ts'
import type {
  HoldAnswer,
  KnownBalance,
  Ledger,
  MoveAnswer,
  RedeemAnswer,
  RefundAnswer,
  SettleAnswer,
} from './ledger.ts'
import type {
  AccountKind,
  BudgetsOperation,
  HoldOperation,
  MoveOperation,
  RedeemOperation,
  RefundOperation,
  Settlement,
  TraceRow,
} from './operation.ts'
import { type ReplicaLife, startReplicaLife } from './replica-life.ts'
import { systemTimers, type Timers } from './timers.ts'
import type { Mq } from './units.ts'

export interface GroupCommitOptions {
  readonly engine: LedgerEngine
  /** Name of this process among all replicas; a new one for every start. */
  readonly replica: string
  /** True when no other process can write to this database, as with a SQLite file. */
  readonly alone: boolean
  /** Unix milliseconds. */
  readonly now: () => number
  /** Above so many unanswered operations new holds are answered `unavailable` at once. */
  readonly maxBacklog: number
  /** How long `close` waits for what is queued. */
  readonly drainMs: number
  /** Called once, when other replicas declared this one dead: stop taking requests, settle what runs, then end. */
  readonly onDead: () => void
  /** Told about every failure of the database; each is dealt with here. */
  readonly onFailure: (error: unknown) => void
  /** Told of every charge of this process, once it is durable; must return at once. */
  readonly onCharged?: (settlement: Settlement) => void
  /** Users are told when their balance falls below it; without it nobody is. */
  readonly remindBelow?: () => Mq
  readonly timers?: Timers
}

/** Opens the ledger over an engine: recovers what dead replicas left, then takes requests. Rejects if the database is away. */
export async function openLedger(options: GroupCommitOptions): Promise<Ledger> {
  const timers = options.timers ?? systemTimers
  return new GroupCommit(options, timers, await startReplicaLife({ ...options, timers }))
}

class GroupCommit implements Ledger {
  readonly #options: GroupCommitOptions
  readonly #life: ReplicaLife
  readonly #queue: CommitQueue
  readonly #balances = new KnownBalances()
  #closing: Promise<void> | undefined

  constructor(options: GroupCommitOptions, timers: Timers, life: ReplicaLife) {
    const { engine, replica, now, onFailure } = options
    this.#options = options
    this.#life = life
    this.#queue = new CommitQueue({
      apply: (batch, again) => engine.apply(batch, replica, again, options.remindBelow?.()),
      onCommit: ({ balances }) => this.#balances.remember(balances, now()),
      onFailure,
      now,
      timers,
    })
  }

  get backlog(): number {
    return this.#queue.size
  }

  get dead(): boolean {
    return this.#life.dead
  }

  hold({ requestId, account, limitAccount, amount, durable }: Omit<HoldOperation, 'op' | 'at'>): Promise<HoldAnswer> {
    if (this.#refuses) return Promise.resolve('unavailable')
    const at = this.#options.now()
    return this.#queue.submit({ op: 'hold', requestId, account, limitAccount, amount, at, durable }).then(holdAnswer)
  }

  extend(requestId: string, amount: Mq): Promise<HoldAnswer> {
    return this.#queue.submit({ op: 'extend', requestId, amount, at: this.#options.now() }).then(holdAnswer)
  }

  renew(progress: Settlement): Promise<void> {
    const { requestId } = progress
    return this.#queue.submit({ op: 'renew', requestId, progress, at: this.#options.now() }).then(noAnswer)
  }

  settle(settlement: Settlement): Promise<SettleAnswer> {
    return this.#queue.submit({ op: 'settle', settlement }).then((answer) => {
      const settled = settleAnswer(answer)
      if (settled === 'charged') this.#options.onCharged?.(settlement)
      return settled
    })
  }

  void(requestId: string, trace: TraceRow): Promise<void> {
    return this.#queue.submit({ op: 'void', requestId, trace }).then(noAnswer)
  }

  move(movement: Omit<MoveOperation, 'op' | 'at'>): Promise<MoveAnswer> {
    if (this.#refuses) return Promise.resolve('unavailable')
    return this.#queue.submit({ ...movement, op: 'move', at: this.#options.now() }).then(moveAnswer)
  }

  redeem(redemption: Omit<RedeemOperation, 'op' | 'at'>): Promise<RedeemAnswer> {
    if (this.#refuses) return Promise.resolve('unavailable')
    return this.#queue.submit({ ...redemption, op: 'redeem', at: this.#options.now() }).then(redeemAnswer)
  }

  refund(refund: Omit<RefundOperation, 'op' | 'at'>): Promise<RefundAnswer> {
    if (this.#refuses) return Promise.resolve('unavailable')
    return this.#queue.submit({ ...refund, op: 'refund', at: this.#options.now() }).then(refundAnswer)
  }

  async openAccount(kind: AccountKind, owner: number, unlimited: boolean): Promise<number | 'unavailable'> {
    if (this.#refuses) return 'unavailable'
    const answer = await this.#queue.submit({ op: 'account', id: { kind, owner }, unlimited })
    return answer.outcome === 'account' ? answer.account : 'unavailable'
  }

  async setBudgets(budgets: Omit<BudgetsOperation, 'op' | 'at'>): Promise<'set' | 'unavailable'> {
    if (this.#refuses) return 'unavailable'
    const { outcome } = await this.#queue.submit({ ...budgets, op: 'budgets', at: this.#options.now() })
    return outcome === 'done' ? 'set' : 'unavailable'
  }

  knownBalance(account: number): KnownBalance | undefined {
    return this.#balances.get(account)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  get #refuses(): boolean {
    return this.#life.dead || this.#closing !== undefined || this.#queue.size >= this.#options.maxBacklog
  }

  async #close(): Promise<void> {
    await this.#queue.close(this.#options.drainMs)
    await this.#life.end()
    await this.#options.engine.close()
  }
}

function holdAnswer(answer: Answer): HoldAnswer {
  switch (answer.outcome) {
    case 'done':
      return 'held'
    case 'refused':
      return 'over' in answer ? { reason: answer.reason, over: answer.over } : answer.reason
    case 'stale':
      return 'stale'
    default:
      return 'unavailable'
  }
}

function settleAnswer({ outcome }: Answer): SettleAnswer {
  return outcome === 'done' ? 'charged' : outcome === 'out_of_range' ? 'out_of_range' : 'unavailable'
}

function moveAnswer({ outcome }: Answer): MoveAnswer {
  if (outcome === 'done') return 'moved'
  return outcome === 'out_of_range' || outcome === 'unavailable' ? outcome : 'unchanged'
}

function redeemAnswer(answer: Answer): RedeemAnswer {
  switch (answer.outcome) {
    case 'redeemed':
      return { paid: answer.amount }
    case 'out_of_range':
    case 'unavailable':
      return answer.outcome
    default:
      return 'unusable'
  }
}

function refundAnswer(answer: Answer): RefundAnswer {
  switch (answer.outcome) {
    case 'refunded':
      return { refunded: answer.amount }
    case 'exceeds':
      return { atMost: answer.left }
    case 'out_of_range':
    case 'unavailable':
      return answer.outcome
    default:
      return 'not_charged'
  }
}

function noAnswer(): void {}
