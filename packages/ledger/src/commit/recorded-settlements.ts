import type { RecordingEngine } from '../engine.ts'
import type { HoldOperation, Operation, Settlement, SettleOperation } from '../operation.ts'
import { encodeRecord } from '../record-text.ts'
import type { Timers } from '../timers.ts'
import type { Answer } from './waiting.ts'

/** Where settlements are durable before they are in the tables; the store's record log fits. */
export interface SettlementLog {
  readonly latest: number
  append(text: string, done: (error?: Error) => void): number
  readonly isFull: boolean
  release(number: number): void
  close(): Promise<void>
}

/** Settlements are in the tables after this long, unless something else is committed earlier… */
const LAZY_MS = 100
/** …or there are this many. */
const LAZY_BATCH = 256
/** This many within `GATHER_MS` are a rush: their records wait for others… */
const RUSH = 6
/** …until there are this many, because a write costs about as much for one as for ten… */
const GATHERED = 24
/** …and no longer than this. */
const GATHER_MS = 3
/** A record that takes longer means that the disk does not write. */
const STUCK_MS = 2_000
/** How soon to flush again when the disk refused that too. */
const FLUSH_AGAIN_MS = 250

export interface RecordedSettlementsOptions {
  readonly log: SettlementLog
  readonly engine: RecordingEngine
  readonly enqueue: (
    operation: SettleOperation,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) => void
  /** Called once for each settlement when the rows show it: what was promised for it need not be counted any more. */
  readonly onApplied: (promised: Promised) => void
  readonly onFailure: (error: unknown) => void
  /** Called for a charge that was answered and cannot be made. */
  readonly onUncharged: (sentence: string) => void
  /** Monotonic milliseconds. */
  readonly steady: () => number
  readonly timers: Timers
}

/** What this process counts as promised until the rows show a charge. */
export type Promised = Pick<HoldOperation, 'account' | 'limitAccount' | 'amount'>

/** `charged` when it is durable; otherwise what its commit said, or `in_doubt` when it was taken back before that was known. */
type RecordedAnswer = Answer | { readonly outcome: 'charged' }

const CHARGED: RecordedAnswer = { outcome: 'charged' }
const IN_DOUBT: RecordedAnswer = { outcome: 'in_doubt' }

interface Recorded extends SettleOperation {
  readonly recorded: string
  /** Of its record. */
  number: number
  readonly promised: Promised
  /** Steady milliseconds. */
  readonly since: number
  /** Undefined once it was answered. */
  resolve: ((answer: RecordedAnswer) => void) | undefined
  /** Its record could not be written, so its commit decides. */
  isUnrecorded: boolean
  /** What its commit said. */
  applied: Answer | undefined
  /** It was taken back, and a later settlement of the same request takes its place. */
  isReplaced: boolean
}

/**
 * Settlements whose record is durable, or is becoming so, and which are not in the tables yet. They are committed many at a time,
 * in the order of their records, and always before anything that is decided later.
 */
export class RecordedSettlements {
  readonly #options: RecordedSettlementsOptions
  /** Not yet appended to the log. */
  #gathered: Recorded[] = []
  /** When the latest settlements came, in steady milliseconds; the oldest is at `#oldest`. */
  readonly #times = new Float64Array(RUSH).fill(-Infinity)
  #oldest = 0
  /** Not yet handed to the commit queue. */
  #held: Recorded[] = []
  #stopTimer: (() => void) | undefined
  /** In the order of their records: not known to be in the tables. */
  readonly #open = new Set<Recorded>()
  /** In the order of their records: not known to be on disk. */
  readonly #unwritten = new Set<Recorded>()
  /** By their requests: not yet answered. */
  readonly #unanswered = new Map<string, Recorded>()
  /** By their requests: answered `in_doubt`, and not known to be in the tables. */
  readonly #takenBack = new Map<string, Recorded>()
  /** Readers, each with the number of the latest record when it asked. */
  readonly #readers = new Set<{ readonly number: number; readonly wake: () => void }>()
  /** Their commits decide, and are not known to be on disk. */
  #unflushed: { readonly each: Recorded; readonly answer: Answer }[] = []
  #isFlushing = false
  #isClosed = false

  constructor(options: RecordedSettlementsOptions) {
    this.#options = options
  }

  /** Not yet handed to the commit queue, or not yet on disk. */
  get size(): number {
    return Math.max(this.#held.length, this.#unwritten.size) + this.#unflushed.length
  }

  /** True when a record has not been written for 2 s, nor its commit flushed. */
  get isStuck(): boolean {
    const [unwritten] = this.#unwritten
    const oldest = Math.min(unwritten?.since ?? Infinity, this.#unflushed[0]?.each.since ?? Infinity)
    return this.#options.steady() - oldest >= STUCK_MS
  }

  settle(settlement: Settlement, promised: Promised): Promise<RecordedAnswer> {
    if (this.#isClosed) return Promise.resolve(UNAVAILABLE)
    return new Promise((resolve) => {
      const recorded = encodeRecord(settlement)
      const each: Recorded = {
        op: 'settle',
        settlement,
        recorded,
        number: 0,
        promised,
        since: this.#options.steady(),
        resolve,
        isUnrecorded: false,
        applied: undefined,
        isReplaced: false,
      }
      const before = this.#takenBack.get(settlement.requestId)
      if (before !== undefined && this.#held.includes(before)) before.isReplaced = true
      this.#open.add(each)
      this.#unwritten.add(each)
      this.#unanswered.set(settlement.requestId, each)
      this.#held.push(each)
      this.#gather(each)
      if (this.#held.length >= LAZY_BATCH) this.handOver()
      else this.#stopTimer ??= this.#options.timers.after(LAZY_MS, () => this.handOver())
    })
  }

  /** Answers a settlement that is not durable yet. It remains in the queue, so that a correction finds it. */
  withdraw(requestId: string): void {
    const each = this.#unanswered.get(requestId)
    if (each === undefined) return
    if (this.#open.has(each)) this.#takenBack.set(requestId, each)
    this.#answer(each, IN_DOUBT)
  }

  /** A record is appended after the turn in which it came, in a rush a little later, so that it shares a write with others. */
  #gather(each: Recorded): void {
    const { log, timers } = this.#options
    each.number = log.latest + this.#gathered.push(each)
    const isRush = each.since - (this.#times[this.#oldest] ?? 0) < GATHER_MS
    this.#times[this.#oldest] = each.since
    this.#oldest = (this.#oldest + 1) % RUSH
    if (this.#gathered.length >= GATHERED) this.#append()
    else if (this.#gathered.length > 1) return
    else if (isRush) timers.after(GATHER_MS, () => this.#append())
    else timers.turn(() => this.#append())
  }

  #append(): void {
    const gathered = this.#gathered
    this.#gathered = []
    for (const each of gathered) this.#options.log.append(each.recorded, (error) => this.#written(each, error))
  }

  /** Hands everything to the commit queue. Call it before anything else is submitted there. */
  handOver(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    if (this.#held.length === 0) return
    const held = this.#held
    this.#held = []
    // What is committed has its number.
    this.#append()
    for (const each of held) {
      if (each.isReplaced) {
        this.#end(each)
        continue
      }
      this.#options.enqueue(
        each,
        (answer) => this.#committed(each, answer),
        ({ message }) => this.#committed(each, { outcome: 'invalid', rule: message }),
      )
    }
  }

  /** Resolves when everything recorded so far is in the tables; after `timeoutMs` in any case. */
  async applied(timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return
    this.handOver()
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stop()
        this.#readers.delete(reader)
        resolve()
      }
      const stop = this.#options.timers.after(timeoutMs, done)
      const reader = { number: this.#options.log.latest, wake: done }
      this.#readers.add(reader)
    })
  }

  /** Number of the record up to which all are in the tables once this batch is; undefined when that stays as it is. */
  recordedTo(batch: readonly Operation[]): number | undefined {
    if (this.#open.size === 0) return undefined
    const inBatch = new Set<Operation>(batch)
    for (const each of this.#open) if (!inBatch.has(each)) return each.number - 1
    return this.#options.log.latest
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#append()
    await this.#options.log.close()
  }

  #written(each: Recorded, error: Error | undefined): void {
    this.#unwritten.delete(each)
    if (error === undefined) {
      this.#answer(each, CHARGED)
      return
    }
    this.#options.onFailure(error)
    each.isUnrecorded = true
    if (each.applied === undefined) this.handOver()
    else this.#answerByCommit(each, each.applied)
  }

  #committed(each: Recorded, answer: Answer): void {
    const { log, onUncharged } = this.#options
    each.applied = answer
    if (each.isUnrecorded) this.#answerByCommit(each, answer)
    // The queue was closed: the next start finds the record.
    if (answer.outcome === 'unavailable') return
    this.#end(each)
    if (!each.isUnrecorded && answer.outcome !== 'done') onUncharged(unchargedText(each.settlement, ruleOf(answer)))
    const [oldest] = this.#open
    for (const { number, wake } of this.#readers) if (oldest === undefined || oldest.number > number) wake()
    if (log.isFull && !this.#isFlushing) void this.#release()
  }

  #end(each: Recorded): void {
    const { requestId } = each.settlement
    this.#open.delete(each)
    if (this.#takenBack.get(requestId) === each) this.#takenBack.delete(requestId)
    this.#options.onApplied(each.promised)
  }

  /** Without a record the commit itself must be on disk. */
  #answerByCommit(each: Recorded, answer: Answer): void {
    this.#unflushed.push({ each, answer })
    if (this.#unflushed.length === 1) void this.#flush()
  }

  /** A settlement waits for a disk that refuses, as it waits for a database that is away, unless its caller takes it back. */
  async #flush(): Promise<void> {
    const count = this.#unflushed.length
    try {
      await this.#options.engine.flush()
    } catch (error) {
      this.#options.onFailure(error)
      if (!this.#isClosed) {
        this.#options.timers.after(FLUSH_AGAIN_MS, () => void this.#flush())
        return
      }
      this.#unflushed = this.#unflushed.map(({ each }) => ({ each, answer: UNAVAILABLE }))
    }
    for (const { each, answer } of this.#unflushed.splice(0, count)) this.#answer(each, answer)
    if (this.#unflushed.length > 0) void this.#flush()
  }

  #answer(each: Recorded, answer: RecordedAnswer): void {
    const { resolve } = each
    if (resolve === undefined) return
    each.resolve = undefined
    const { requestId } = each.settlement
    if (this.#unanswered.get(requestId) === each) this.#unanswered.delete(requestId)
    resolve(answer)
  }

  /** Space of the log is used again only when the commits of its records are on disk themselves. */
  async #release(): Promise<void> {
    const { log, engine, onFailure } = this.#options
    const [oldest] = this.#open
    const applied = oldest === undefined ? log.latest : oldest.number - 1
    this.#isFlushing = true
    try {
      await engine.flush()
      log.release(applied)
    } catch (error) {
      onFailure(error)
    }
    this.#isFlushing = false
  }
}

const UNAVAILABLE: Answer = { outcome: 'unavailable' }

/** What to say of a charge that was promised and cannot be made. */
export function unchargedText({ requestId, amount }: Settlement, why: string): string {
  return `the recorded charge of request ${requestId}, ${amount} mq, cannot be made: ${why}`
}

/** Why the rules refuse an operation. */
export function ruleOf(outcome: Answer): string {
  return outcome.outcome === 'invalid' ? outcome.rule : outcome.outcome
}
