import type { BatchResult } from '../engine.ts'
import type { Operation, Outcome } from '../operation.ts'
import type { Timers } from '../timers.ts'
import { type Answer, independenceOf, isOpen, takenBack, type Waiting, waitsForEver } from './waiting.ts'

const MAX_BATCH = 1_024
/** This many operations in one commit are a rush: the next commit waits for the operations that are sure to follow… */
const RUSH = 4
/** …until there are this many, or as many as the last two commits took together: all that are sure to follow… */
const GATHERED = 24
/** …and no longer than this. */
const GATHER_MS = 4
/** How long a hold or a movement waits for a database that does not commit. */
const PATIENCE_MS = 5_000
/** A failed batch is retried whole this many times; after that, in smaller parts. */
const WHOLE_RETRIES = 3
const FIRST_BACKOFF_MS = 20
const MAX_BACKOFF_MS = 250
/** Pause before an operation that failed alone is retried; doubles after each failure. */
const FIRST_SUSPECT_MS = 250
const MAX_SUSPECT_MS = 5_000
/** A database that should have made something durable and has not for this long counts as stuck. */
const STUCK_MS = 2_000

const UNAVAILABLE: Answer = { outcome: 'unavailable' }

/**
 * One queue for all operations of a process. While a commit is in flight new operations gather, and the next commit takes them all,
 * together with those that arrive in the two turns of the event loop after it. An idle process commits after the turn in which an
 * operation arrived, and nothing waits for a timer. In a rush, from about a thousand operations a second, the next commit waits for
 * 24 of them, or as many as the last two took, at most 4 ms: a commit writes and flushes about as much for one as for ten.
 *
 * When a commit fails, its outcome is unknown, so the same batch is tried again, which is harmless if the first attempt did take
 * effect:
 *
 * batch fails up to three times → the same batch again, after a growing pause (20 … 250 ms)
 * batch fails more often → its first half, then smaller, until something commits
 * single fails → put aside as a suspect; the others go on
 * suspect alone, after 250 ms…5 s → until it commits, or the queue is closed; the other suspects follow at once
 * operation is about a suspect's request, or an account that a suspect was promised → waits for it; the others go on
 * any commit succeeds → the next batch may be twice as large again
 *
 * Operations that must not wait for long (holds, extensions, movements of every kind, opening accounts) are answered `unavailable`
 * after 5 s and not retried: the caller may repeat the request and must not get both. Of these, only a hold is voided if it turns
 * out to have been committed after all. Settlements, renewals and voids wait until the queue is closed, and so does a hold that was
 * promised before.
 */
export class CommitQueue {
  readonly #apply: (batch: readonly Operation[], again: boolean) => Promise<BatchResult>
  readonly #onCommit: (result: BatchResult) => void
  readonly #onFailure: (error: unknown) => void
  readonly #steady: () => number
  readonly #timers: Timers
  readonly #stopSweep: () => void
  #queue: Waiting[] = []
  #suspects: Waiting[] = []
  #inFlight: readonly Waiting[] = []
  /** Unanswered settlements by request. */
  readonly #settlements = new Map<string, Waiting>()
  #limit = MAX_BATCH
  /** Commits that failed since the last successful one. */
  #failures = 0
  #suspectsAt = 0
  #suspectPause = FIRST_SUSPECT_MS
  /** When the first commit after the last good one was begun; undefined while all is well. */
  #unprovedSince: number | undefined
  #running = false
  /** Only suspects are left, and none is due yet. */
  #isResting = false
  #isGathering = false
  /** Operations of the last two commits, the later one first. */
  #lastTwo: readonly [number, number] = [0, 0]
  #closed = false
  #unanswered = 0
  #onEmpty: (() => void) | undefined
  #wake: (() => void) | undefined

  constructor(options: {
    /** `again` is true when some of the batch was part of a commit that failed. */
    readonly apply: (batch: readonly Operation[], again: boolean) => Promise<BatchResult>
    readonly onCommit: (result: BatchResult) => void
    /** Called for each commit that failed and each operation that got no valid answer. */
    readonly onFailure: (error: unknown) => void
    /** Monotonic milliseconds. */
    readonly steady: () => number
    readonly timers: Timers
  }) {
    this.#apply = options.apply
    this.#onCommit = options.onCommit
    this.#onFailure = options.onFailure
    this.#steady = options.steady
    this.#timers = options.timers
    this.#stopSweep = options.timers.every(1_000, () => this.#refuseLate())
  }

  get size(): number {
    return this.#unanswered
  }

  /** True while commits fail, or while an operation that failed alone is pending. */
  get isFailing(): boolean {
    return this.#failures > 0 || this.#suspects.length > 0
  }

  /** True when nothing has become durable for 2 s, though something was tried. */
  get isStuck(): boolean {
    return this.#unprovedSince !== undefined && this.#steady() - this.#unprovedSince >= STUCK_MS
  }

  /** Call this after a successful write to the database outside this queue. */
  proved(): void {
    this.#unprovedSince = undefined
  }

  /** Resolves when the answer is durable; rejects for a bug in the caller. `isPatient`: retried until the queue is closed. */
  submit(operation: Operation, isPatient = waitsForEver(operation)): Promise<Answer> {
    if (this.#closed) return Promise.resolve(UNAVAILABLE)
    return new Promise((resolve, reject) => {
      this.#unanswered += 1
      const waiting: Waiting = {
        operation,
        since: this.#steady(),
        resolve,
        reject,
        answered: false,
        tried: false,
        suspect: false,
        withdrawn: false,
        isPatient,
      }
      this.#queue.push(waiting)
      if (operation.op === 'settle') this.#settlements.set(operation.settlement.requestId, waiting)
      if (!this.#running) void this.#run()
      else if (this.#isResting || (this.#isGathering && this.#hasGathered)) this.#wake?.()
    })
  }

  /**
   * Takes back the settlement of a request, unless the commit in flight contains it. The outcome of failed commits is unknown, so a
   * settlement that was in one is answered `in_doubt`.
   */
  withdraw(requestId: string): void {
    const waiting = this.#settlements.get(requestId)
    if (waiting === undefined) return
    waiting.withdrawn = true
    // It stays in its queue, where it is skipped.
    if (!this.#inFlight.includes(waiting)) this.#answer(waiting, takenBack(waiting))
  }

  /** Waits up to `timeoutMs` for everything to be answered; then answers the rest with `unavailable` and accepts nothing more. */
  async close(timeoutMs: number): Promise<void> {
    if (this.#unanswered > 0) {
      await new Promise<void>((resolve) => {
        const stop = this.#timers.after(timeoutMs, resolve)
        this.#onEmpty = () => {
          stop()
          resolve()
        }
      })
    }
    this.#closed = true
    this.#stopSweep()
    for (const waiting of [...this.#inFlight, ...this.#suspects, ...this.#queue]) this.#answer(waiting, UNAVAILABLE)
    this.#queue = []
    this.#suspects = []
    this.#wake?.()
  }

  async #run(): Promise<void> {
    this.#running = true
    await this.#turn()
    while (!this.#closed) {
      const batch = this.#take()
      if (batch.length > 0) await this.#commit(batch)
      else if (this.#suspects.length > 0) await this.#rest()
      else break
      // The first turn handles what was ready when this commit was answered, the second what arrived while its answers were
      // delivered.
      await this.#turn()
      await this.#turn()
      this.#lastTwo = [batch.length, this.#lastTwo[0]]
      if (batch.length >= RUSH) await this.#gather()
    }
    this.#running = false
  }

  /** Does nothing if no operation arrived meanwhile: the rush is over. */
  async #gather(): Promise<void> {
    if (this.#queue.length === 0 || this.#hasGathered) return
    this.#isGathering = true
    await this.#pause(GATHER_MS)
    this.#isGathering = false
  }

  /** After failures a commit may take fewer operations than a rush waits for. */
  get #hasGathered(): boolean {
    const [last, before] = this.#lastTwo
    return this.#queue.length >= Math.min(GATHERED, last + before, this.#limit)
  }

  /** Waits until the suspects are due or something new arrives: one operation that fails must not hold up the others. */
  async #rest(): Promise<void> {
    this.#isResting = true
    await this.#pause(this.#suspectsAt - this.#steady())
    this.#isResting = false
  }

  #take(): readonly Waiting[] {
    if (this.#suspects.length > 0) {
      if (this.#steady() >= this.#suspectsAt) return this.#suspects.splice(0, 1)
      return this.#takeIndependent()
    }
    if (this.#queue.length > this.#limit) return this.#queue.splice(0, this.#limit)
    const all = this.#queue
    this.#queue = []
    return all
  }

  #takeIndependent(): readonly Waiting[] {
    const { isIndependent, add } = independenceOf(this.#suspects)
    const taken: Waiting[] = []
    const left: Waiting[] = []
    for (const waiting of this.#queue) {
      const isNext = taken.length < this.#limit && isIndependent(waiting.operation)
      ;(isNext ? taken : left).push(waiting)
      if (!isNext) add(waiting)
    }
    this.#queue = left
    return taken
  }

  async #commit(first: readonly Waiting[]): Promise<void> {
    let batch = first.filter(isOpen)
    while (!this.#closed && batch.length > 0) {
      this.#inFlight = batch
      const operations = batch.map(({ operation }) => operation)
      const again = batch.some(({ tried }) => tried)
      for (const waiting of batch) waiting.tried = true
      this.#unprovedSince ??= this.#steady()
      try {
        const result = await this.#apply(operations, again)
        this.#failures = 0
        this.proved()
        this.#limit = Math.min(MAX_BATCH, this.#limit * 2)
        if (batch[0]?.suspect === true) this.#suspectPause = FIRST_SUSPECT_MS
        this.#onCommit(result)
        for (const [i, waiting] of batch.entries()) this.#deliver(waiting, result.outcomes[i])
        break
      } catch (error) {
        this.#onFailure(error)
        const [sole] = batch
        if (sole?.suspect === true) {
          if (!this.#dropWithdrawn(sole)) this.#suspect(sole)
          break
        }
        this.#failures += 1
        await this.#pause(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#failures - 1)))
        batch = batch.filter((waiting) => !this.#dropWithdrawn(waiting))
        if (this.#failures <= WHOLE_RETRIES) continue
        const [only] = batch
        if (only !== undefined && batch.length === 1) this.#suspect(only)
        else this.#halve(batch)
        break
      }
    }
    this.#inFlight = []
  }

  #dropWithdrawn(waiting: Waiting): boolean {
    if (waiting.withdrawn) this.#answer(waiting, takenBack(waiting))
    return waiting.withdrawn
  }

  /** Puts a failing batch back; its first half is next. */
  #halve(batch: readonly Waiting[]): void {
    this.#queue = [...batch.filter(isOpen), ...this.#queue]
    this.#limit = Math.ceil(batch.length / 2)
  }

  #suspect(waiting: Waiting): void {
    if (!isOpen(waiting)) return
    if (waiting.suspect) this.#suspectPause = Math.min(MAX_SUSPECT_MS, this.#suspectPause * 2)
    waiting.suspect = true
    this.#suspects.push(waiting)
    this.#suspectsAt = this.#steady() + this.#suspectPause
  }

  #deliver(waiting: Waiting, outcome: Outcome | undefined): void {
    const { operation } = waiting
    if (outcome === undefined || outcome.outcome === 'invalid') {
      const error = new Error(`ledger: ${outcome?.rule ?? 'the engine gave no answer'} (${operation.op})`)
      this.#onFailure(error)
      this.#answer(waiting, error)
    } else if (waiting.answered && operation.op === 'hold' && outcome.outcome === 'done') {
      // The caller has left, and no one waits for this void either.
      void this.submit({ op: 'void', requestId: operation.requestId })
    } else {
      this.#answer(waiting, outcome)
    }
  }

  #answer(waiting: Waiting, answer: Answer | Error): void {
    if (waiting.answered) return
    waiting.answered = true
    this.#unanswered -= 1
    this.#forgetSettlement(waiting)
    if (answer instanceof Error) waiting.reject(answer)
    else waiting.resolve(answer)
    if (this.#unanswered === 0) this.#onEmpty?.()
  }

  /** Does nothing if the same request has been settled again meanwhile. */
  #forgetSettlement(waiting: Waiting): void {
    const { operation } = waiting
    if (operation.op !== 'settle') return
    const { requestId } = operation.settlement
    if (this.#settlements.get(requestId) === waiting) this.#settlements.delete(requestId)
  }

  #refuseLate(): void {
    if (this.#unanswered === 0) return
    const latest = this.#steady() - PATIENCE_MS
    for (const waiting of [...this.#inFlight, ...this.#suspects, ...this.#queue]) {
      if (waiting.since <= latest && !waiting.isPatient) this.#answer(waiting, UNAVAILABLE)
    }
    this.#queue = this.#queue.filter(isOpen)
    this.#suspects = this.#suspects.filter(isOpen)
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#timers.turn(resolve))
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#timers.after(Math.max(0, ms), resolve)
      this.#wake = () => {
        stop()
        resolve()
      }
    })
  }
}
