import type { LedgerEngine } from '../engine.ts'
import type {
  HoldAnswer,
  KnownBalance,
  Ledger,
  MoveAnswer,
  RedeemAnswer,
  RefundAnswer,
  SettleAnswer,
} from '../ledger.ts'
import type {
  AccountKind,
  BudgetsOperation,
  HoldOperation,
  LeaseOperation,
  MoveOperation,
  Operation,
  RedeemOperation,
  RefundOperation,
  Settlement,
  TraceRow,
} from '../operation.ts'
import { systemTimers, type Timers } from '../timers.ts'
import type { Mq } from '../units.ts'
import { CommitQueue } from './commit-queue.ts'
import { KnownBalances } from './known-balances.ts'
import { LocalHolds } from './local-holds.ts'
import { QuotaLeases } from './quota-leases.ts'
import { type ReplicaLife, startReplicaLife } from './replica-life.ts'
import type { Answer } from './waiting.ts'

/** How often a stuck database is probed. */
const PROBE_MS = 250
/** How often leases that are no longer used are given back. */
const LEASE_SWEEP_MS = 250
/** A hold that others' leases may have refused is tried again after this, when those that are not needed have been given back. */
const LEASES_LEFT_MS = 1_200

export interface GroupCommitOptions {
  readonly engine: LedgerEngine
  /** Name of this process among all replicas, new at every start. */
  readonly replica: string
  /** True when no other process can write to this database, as with a SQLite file. */
  readonly alone: boolean
  /** Unix milliseconds, for times that are recorded. */
  readonly now: () => number
  /** Monotonic milliseconds for durations, so that setting the clock does not end or stretch a wait. */
  readonly steady?: () => number
  /** Above this many unanswered operations, new holds are answered `unavailable` at once. */
  readonly maxBacklog: number
  /** How long `close` waits for queued operations. */
  readonly drainMs: number
  /** Called once, when other replicas have declared this one dead: stop taking requests, settle those in flight, then exit. */
  readonly onDead: () => void
  /** Called for every database failure, although each is handled here. */
  readonly onFailure: (error: unknown) => void
  /** Called for every charge of this process, once it is durable; must return at once. */
  readonly onCharged?: (settlement: Settlement) => void
  /** Users whose balance falls below this are notified; absent: no one is. */
  readonly remindBelow?: () => Mq
  readonly timers?: Timers
}

/** Opens the ledger over an engine after recovering what dead replicas left. Rejects if the database is unreachable. */
export async function openLedger(options: GroupCommitOptions): Promise<Ledger> {
  const timers = options.timers ?? systemTimers
  return new GroupCommit(options, timers, await startReplicaLife({ ...options, timers }))
}

class GroupCommit implements Ledger {
  readonly #options: GroupCommitOptions
  readonly #life: ReplicaLife
  readonly #queue: CommitQueue
  readonly #steady: () => number
  readonly #timers: Timers
  readonly #stopProbing: () => void
  readonly #stopSweep: () => void
  readonly #balances = new KnownBalances()
  readonly #local = new LocalHolds()
  /** Only where other processes write to the database. */
  readonly #leases: QuotaLeases | undefined = undefined
  /** Operations in flight that can reduce a balance below its last known value. */
  #deciding = 0
  #closing: Promise<void> | undefined

  constructor(options: GroupCommitOptions, timers: Timers, life: ReplicaLife) {
    const { engine, replica, onFailure, steady = () => performance.now() } = options
    this.#options = options
    this.#life = life
    this.#steady = steady
    this.#timers = timers
    this.#queue = new CommitQueue({
      apply: (batch, again) => engine.apply(batch, replica, { again, remindBelow: options.remindBelow?.() }),
      onCommit: ({ balances }) => this.#balances.remember(balances, steady()),
      onFailure,
      steady,
      timers,
    })
    if (!options.alone) {
      const isComfortable = (account: number, amount: Mq, at: number) => this.#isComfortable(account, amount, at)
      const submit = (operation: LeaseOperation, isPatient: boolean) => this.#queue.submit(operation, isPatient)
      this.#leases = new QuotaLeases({ replica, submit, isComfortable, onFailure, steady, now: options.now })
    }
    // No new request is admitted while the database is stuck, so something else has to notice when it recovers.
    this.#stopProbing = timers.every(PROBE_MS, () => {
      if (this.#queue.isStuck) void life.beat().then((isBeating) => isBeating && this.#queue.proved(), onFailure)
    })
    this.#stopSweep = timers.every(LEASE_SWEEP_MS, () => this.#leases?.giveBackIdle())
  }

  get backlog(): number {
    return this.#queue.size
  }

  get stuck(): boolean {
    return this.#queue.isStuck
  }

  get dead(): boolean {
    return this.#life.dead
  }

  hold(request: Omit<HoldOperation, 'op' | 'at'>): Promise<HoldAnswer> {
    if (this.#refuses) return Promise.resolve('unavailable')
    const { requestId, account, limitAccount, amount, durable } = request
    if (this.#local.has(requestId) || this.#leases?.has(requestId)) return Promise.resolve('stale')
    const at = this.#options.now()
    const hold: HoldOperation = { op: 'hold', requestId, account, limitAccount, amount, at, durable }
    if (this.#mayLease(hold) && this.#leases?.take(hold)) return HELD
    const isComfortable = this.#isComfortable(account, amount, at) && this.#isComfortable(limitAccount, amount, at)
    this.#book(hold, amount)
    if (isComfortable && this.#mayKeep(hold)) {
      this.#local.keep(hold)
      return HELD
    }
    // The rows decide, so they must include everything that this process has promised.
    if (!isComfortable) {
      this.#write(this.#local.takeAll([account, limitAccount]))
      this.#leases?.giveBack([account, limitAccount])
    } else if (this.#mayLease(hold)) this.#leases?.grow(hold, amount)
    return this.#leases === undefined ? this.#submitBooked(hold) : this.#submitPatiently(hold)
  }

  async extend(requestId: string, amount: Mq): Promise<HoldAnswer> {
    if (this.#leases?.extend(requestId, amount)) return 'held'
    this.#writeOf(requestId)
    return holdAnswer(await this.#decide({ op: 'extend', requestId, amount, at: this.#options.now() }))
  }

  async renew(progress: Settlement): Promise<void> {
    const { requestId } = progress
    this.#writeOf(requestId)
    await this.#queue.submit({ op: 'renew', requestId, progress, at: this.#options.now() })
  }

  async settle(settlement: Settlement): Promise<SettleAnswer> {
    const { requestId, amount } = settlement
    const lease = this.#leases?.leasedHold(requestId)
    const answer = this.#queue.submit({ op: 'settle', settlement, ...(lease && { lease }) })
    if (lease !== undefined) this.#leases?.grow(settlement, lease.amount)
    const settled = settleAnswer(await answer)
    if (!LEAVES_HOLD.has(settled)) {
      this.#release(this.#local.take(requestId))
      this.#leases?.end(requestId, settled === 'charged' ? amount : 0n)
    }
    if (settled === 'charged') this.#options.onCharged?.(settlement)
    return settled
  }

  withdraw(requestId: string): void {
    this.#queue.withdraw(requestId)
  }

  async void(requestId: string, trace: TraceRow): Promise<void> {
    // A hold that is not yet written is inserted and removed in the commit that records the trace.
    this.#writeOf(requestId)
    await this.#queue.submit({ op: 'void', requestId, trace })
  }

  async move(movement: Omit<MoveOperation, 'op' | 'at'>): Promise<MoveAnswer> {
    if (this.#refuses) return 'unavailable'
    return moveAnswer(await this.#decide({ ...movement, op: 'move', at: this.#options.now() }))
  }

  async redeem(redemption: Omit<RedeemOperation, 'op' | 'at'>): Promise<RedeemAnswer> {
    if (this.#refuses) return 'unavailable'
    return redeemAnswer(await this.#decide({ ...redemption, op: 'redeem', at: this.#options.now() }))
  }

  async refund(refund: Omit<RefundOperation, 'op' | 'at'>): Promise<RefundAnswer> {
    if (this.#refuses) return 'unavailable'
    return refundAnswer(await this.#decide({ ...refund, op: 'refund', at: this.#options.now() }))
  }

  async openAccount(kind: AccountKind, owner: number, unlimited: boolean): Promise<number | 'unavailable'> {
    if (this.#refuses) return 'unavailable'
    const answer = await this.#decide({ op: 'account', id: { kind, owner }, unlimited })
    return answer.outcome === 'account' ? answer.account : 'unavailable'
  }

  async setBudgets(budgets: Omit<BudgetsOperation, 'op' | 'at'>): Promise<'set' | 'unavailable'> {
    if (this.#refuses) return 'unavailable'
    const { outcome } = await this.#decide({ ...budgets, op: 'budgets', at: this.#options.now() })
    return outcome === 'done' ? 'set' : 'unavailable'
  }

  knownBalance(account: number): KnownBalance | undefined {
    return this.#balances.get(account)
  }

  isComfortable(account: number, amount: Mq): boolean {
    return this.#isComfortable(account, amount, this.#options.now())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** `at` is the time of the hold. */
  #isComfortable(account: number, amount: Mq, at: number): boolean {
    return this.#balances.isComfortable(account, amount, this.#steady(), at)
  }

  get #refuses(): boolean {
    return this.#life.dead || this.#closing !== undefined || this.backlog >= this.#options.maxBacklog
  }

  /** Whether a hold on comfortable accounts can stay in this process: no other process writes, and charges get through. */
  #mayKeep({ amount, durable }: HoldOperation): boolean {
    const { alone, maxBacklog } = this.#options
    if (!alone || durable || amount < 0n || this.#deciding > 0 || this.#queue.isFailing) return false
    return this.#local.size < maxBacklog
  }

  /** Submits an operation that the rows decide, after all local holds have been written to them. */
  async #decide(operation: Operation): Promise<Answer> {
    this.#write(this.#local.takeAll())
    this.#deciding += 1
    try {
      return await this.#queue.submit(operation)
    } finally {
      this.#deciding -= 1
    }
  }

  /**
   * Queues local holds for the database, ahead of later submissions. The rows have room for them, unless a charge took more than
   * its hold. Their requests are already running, so these holds do not time out like one whose caller is still waiting.
   */
  #write(holds: readonly HoldOperation[]): void {
    for (const hold of holds) void this.#submitBooked(hold, true).catch(this.#options.onFailure)
  }

  #writeOf(requestId: string): void {
    const hold = this.#local.take(requestId)
    if (hold !== undefined) this.#write([hold])
    const leased = this.#leases?.handOut(requestId)
    if (leased === undefined) return
    this.#book(leased, leased.amount)
    this.#write([leased])
  }

  /** Whether a lease may cover the hold: nothing lasting depends on it, and charges get through. */
  #mayLease({ amount, durable }: HoldOperation): boolean {
    return !durable && amount >= 0n && !this.#queue.isFailing
  }

  /** Tries once more when the leases of other replicas may have refused a hold: they give back what they do not need. */
  async #submitPatiently(hold: HoldOperation): Promise<HoldAnswer> {
    const answer = await this.#submitBooked(hold)
    if (answer === 'held' || answer === 'stale' || answer === 'unavailable') return answer
    const { engine, replica, onFailure } = this.#options
    const isLeased = await engine.hasOtherLeases([hold.account, hold.limitAccount], replica).catch((error: unknown) => {
      onFailure(error)
      return false
    })
    if (!isLeased) return answer
    await new Promise<void>((resolve) => this.#timers.after(LEASES_LEFT_MS, resolve))
    if (this.#refuses) return answer
    this.#book(hold, hold.amount)
    return await this.#submitBooked({ ...hold, at: this.#options.now() })
  }

  /** The amount is booked until the balances of the commit show it. */
  async #submitBooked(hold: HoldOperation, isPatient = false): Promise<HoldAnswer> {
    try {
      return holdAnswer(await this.#queue.submit(hold, isPatient))
    } finally {
      this.#release(hold)
    }
  }

  #release(hold: HoldOperation | undefined): void {
    if (hold !== undefined) this.#book(hold, 0n - hold.amount)
  }

  #book({ account, limitAccount }: Pick<HoldOperation, 'account' | 'limitAccount'>, amount: bigint): void {
    const now = this.#steady()
    this.#balances.book(account, amount, now)
    this.#balances.book(limitAccount, amount, now)
  }

  async #close(): Promise<void> {
    this.#stopProbing()
    this.#stopSweep()
    this.#leases?.giveBackIdle(true)
    await this.#queue.close(this.#options.drainMs)
    await this.#life.end()
    await this.#options.engine.close()
  }
}

/** Answers that leave the hold open: the ledger cannot take the charge, or it was taken back. */
const LEAVES_HOLD: ReadonlySet<SettleAnswer> = new Set(['out_of_range', 'withdrawn', 'in_doubt'])

const HELD: Promise<HoldAnswer> = Promise.resolve('held')

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
  if (outcome === 'done') return 'charged'
  return outcome === 'out_of_range' || outcome === 'withdrawn' || outcome === 'in_doubt' ? outcome : 'unavailable'
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
